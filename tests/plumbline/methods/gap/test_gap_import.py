"""GAP's files become banks: every line checked, all of them or nothing, frozen by their content."""

import gzip
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from plumbline.audits.freezing import freeze
from plumbline.methods.gap.bank_files import COLUMNS
from plumbline.methods.gap.spec import GapSpec
from plumbline.spec.audit import parse
from plumbline.spec.errors import SpecError
from plumbline.vocab.content import frozen
from plumbline.vocab.models import Bank, BankItem

pytestmark = pytest.mark.django_db
TEXT = "Ann met Zoë before she left."
CELLS = ("t-1", TEXT, "she", "19", "Ann", "0", "TRUE", "Zoë", "8", "FALSE", "http://example.org")


def line(**changed: str) -> str:
    cells = dict(zip(COLUMNS.values(), CELLS, strict=True)) | changed
    return "\t".join(cells.values())


def written(path: Path, *lines: str) -> Path:
    text = "\n".join(["\t".join(COLUMNS), *lines]) + "\n"
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


def test_a_folder_is_imported_in_the_order_of_its_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written(tmp_path / "b.tsv", line(id="t-2", a_coref="FALSE"))
    written(tmp_path / "a.tsv.gz", line())
    call_command("bank", "import", "gap", str(tmp_path), "--into", "mine")
    assert capsys.readouterr().out.startswith("bank mine: 2 items, ")
    entries = frozen("banks", "mine")["entries"]
    assert [entry["id"] for entry in entries] == ["t-1", "t-2"]
    assert (entries[0]["a_coref"], entries[0]["b_offset"], entries[1]["a_coref"]) == (True, 8, False)
    assert Bank.objects.get().imported_from == "a.tsv.gz, b.tsv"
    call_command("bank", "list")
    assert capsys.readouterr().out.split()[:3] == ["gap", "mine", "2"]


@pytest.mark.parametrize(
    ("faulty", "told"),
    [
        (line(id="t-2", pronoun_offset="20"), "the pronoun 'she' is not at offset 20"),
        (line(id="t-2", b_offset="-8"), "b_offset '-8' is no number"),
        (line(id="t-2", a_coref="True"), "a_coref 'True' is neither TRUE nor FALSE"),
        (line(id="t-2", b_coref="TRUE"), "both marked TRUE"),
        (line(id="t-2", pronoun="met", pronoun_offset="4"), "'met' is not one of the pronouns"),
        (line(id="t-2") + "\tmore", "12 columns instead of 11"),
        (line(), "the ID 't-1' is already at x.tsv, line 2"),
    ],
)
def test_a_faulty_line_is_named_and_nothing_is_imported(tmp_path: Path, faulty: str, told: str) -> None:
    path = written(tmp_path / "x.tsv", line(), faulty)
    with pytest.raises(CommandError, match=r"x\.tsv, line 3: ") as refused:
        call_command("bank", "import", "gap", str(path), "--into", "mine")
    assert told in str(refused.value)
    assert refused.value.returncode == 2
    assert not Bank.objects.exists()


def test_an_import_that_breaks_off_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(BankItem.objects, "bulk_create", interrupted)
    with pytest.raises(KeyboardInterrupt):
        call_command("bank", "import", "gap", str(written(tmp_path / "x.tsv", line())), "--into", "mine")
    assert not Bank.objects.exists()


@pytest.mark.parametrize(
    ("name", "into", "told"),
    [
        ("missing.tsv", "mine", "does not exist"),
        ("empty", "mine", "holds no .tsv"),
        ("x.tsv", "mi ne", "bank 'mi ne'"),
        ("other.tsv", "mine", "the columns are not those of GAP"),
        ("cut.tsv.gz", "mine", "is no text in UTF-8"),
    ],
)
def test_what_is_no_bank_is_reported(tmp_path: Path, name: str, into: str, told: str) -> None:
    (tmp_path / "empty").mkdir()
    written(tmp_path / "x.tsv", line())
    (tmp_path / "other.tsv").write_text("a\tb\n")
    (tmp_path / "cut.tsv.gz").write_bytes(gzip.compress(line().encode())[:-9])
    with pytest.raises(CommandError, match=told):
        call_command("bank", "import", "gap", str(tmp_path / name), "--into", into)


def test_a_slug_is_taken_once(tmp_path: Path) -> None:
    path = str(written(tmp_path / "x.tsv", line()))
    call_command("bank", "import", "gap", path, "--into", "mine")
    with pytest.raises(CommandError, match="which holds just these questions: choose another --into"):
        call_command("bank", "import", "gap", path, "--into", "mine")


def test_a_run_freezes_the_bank_by_its_content(tmp_path: Path) -> None:
    lines = [line(id=f"t-{number}", **_of(number)) for number in range(40)]
    call_command("bank", "import", "gap", str(written(tmp_path / "x.tsv", *lines)), "--into", "mine")
    spec = parse({"name": "t", "probe": "gap", "model": "path:./m", "bank": {"list": "mine"}})
    pinned, snapshots = freeze(spec)
    assert isinstance(pinned, GapSpec)
    ((sha256, content),) = snapshots.items()
    assert (pinned.bank[0].sha256, content["kind"], len(pinned.passages(snapshots))) == (sha256, "banks", 40)
    assert freeze(spec)[1].keys() == snapshots.keys()
    BankItem.objects.filter(position=1).delete()
    assert freeze(spec)[1].keys() != snapshots.keys()


def _of(number: int) -> dict[str, str]:
    text = TEXT.replace("she left", "he left")
    return {"text": text, "pronoun": "he"} if number % 2 else {}


def test_only_and_too_few_passages_are_refused(tmp_path: Path) -> None:
    call_command("bank", "import", "gap", str(written(tmp_path / "x.tsv", line())), "--into", "mine")
    data = {"name": "t", "probe": "gap", "model": "path:./m", "bank": {"list": "mine"}}
    with pytest.raises(SpecError, match="the bank has 1 passages, too few for 5 folds and 20 topics"):
        freeze(parse(data))
    with pytest.raises(SpecError, match="'only' does not apply to a bank"):
        freeze(parse({**data, "bank": {"list": "mine", "only": ["t-1"]}}))


def test_the_admin_shows_a_bank_and_changes_nothing(tmp_path: Path, client: Client) -> None:
    call_command("bank", "import", "gap", str(written(tmp_path / "x.tsv", line())), "--into", "mine")
    client.force_login(User.objects.create_superuser("admin"))
    assert "mine" in client.get(reverse("admin:vocab_bank_changelist")).content.decode()
    page = reverse("admin:vocab_bank_change", args=[Bank.objects.get().pk])
    assert "Zoë before she left" in client.get(page).content.decode()
    assert client.post(page, {"slug": "other"}).status_code == 403
    assert client.get(reverse("admin:vocab_bank_add")).status_code == 403
