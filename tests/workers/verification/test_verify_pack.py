"""A pack of a real run is verified without a database, and what was changed in it is named."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

import polars as pl
import pytest
from pytest_django import Settings

from plumbline.accounts.models import Activity, ActivityEntry
from plumbline.audits.models import Run
from plumbline.evidence.manifest import MANIFEST, MEASURES, RECORDS, SIGNATURE, Manifest, parse_manifest
from plumbline.evidence.signature import make_keys
from plumbline.evidence.writing import Archive
from plumbline.packing.pack import Choices, packed
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.errors import InputError
from tests.processes import forked
from tests.workers.management.conftest import Ended, audit, write_spec  # noqa: F401  # fixtures
from workers.verification import verifying
from workers.verification.records import load
from workers.verification.report import lines
from workers.verification.verifying import Outcome, verify

pytestmark = pytest.mark.django_db

Audit = Callable[..., Ended]
ASSOCIATION = f"{RECORDS}association.parquet"
NOWHERE = "postgres://nobody@127.0.0.1:1/none"
MADE: dict[str, bytes] = {}


@pytest.fixture
def run(audit: Audit, write_spec: Callable[..., Path]) -> Run:  # noqa: F811
    assert audit("run", write_spec(), "--inline").status == 0
    return Run.objects.latest("pk")


@pytest.fixture
def pack(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A pack of the run, which is made once for all tests: most of them need no database."""
    if not MADE:
        MADE["pack"] = b"".join(packed(request.getfixturevalue("run"), Choices()))
    path = tmp_path / "pack.zip"
    path.write_bytes(MADE["pack"])
    return path


def contents(pack: Path) -> dict[str, bytes]:
    with ZipFile(pack) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def forged(pack: Path, changed: dict[str, bytes]) -> Path:
    """Change files, and write a manifest that fits them."""
    files = contents(pack) | changed
    manifest, signature = parse_manifest(files.pop(MANIFEST)), files.pop(SIGNATURE, None)
    with pack.open("wb") as file:
        archive = Archive(file)
        for name, content in files.items():
            archive.add(name, content)
        archive.add(MANIFEST, manifest.model_copy(update={"files": archive.files}).text())
        if signature:
            archive.add(SIGNATURE, signature)
        archive.close()
    return pack


def changed_table(pack: Path, name: str, **columns: pl.Expr) -> dict[str, bytes]:
    frame = pl.read_parquet(contents(pack)[name]).with_columns(**columns)
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return {name: buffer.getvalue()}


def test_every_measure_follows_from_the_records(pack: Path) -> None:
    outcome = verify(pack)
    assert (outcome.holds, outcome.differences, outcome.not_recomputed) == (True, [], [])
    assert outcome.recomputed == pl.read_parquet(contents(pack)[MEASURES]).height > 10
    assert verifying.UNSIGNED in outcome.about


def test_a_process_without_database_and_django_verifies(pack: Path) -> None:
    code = (
        "import sys; from workers.verification.__main__ import main; status = main();"
        "assert not {'django', 'psycopg', 'sqlalchemy'} & sys.modules.keys(); sys.exit(status)"
    )
    nowhere = {**os.environ, "DATABASE_URL": NOWHERE}
    done = subprocess.run([sys.executable, "-c", code, pack], capture_output=True, text=True, env=nowhere, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1].startswith("verified: ")


def test_the_command_packs_verifies_and_is_recorded(audit: Audit, run: Run, tmp_path: Path) -> None:  # noqa: F811
    out = tmp_path / "pack.zip"
    (tmp_path / "report.html").write_text("<p>A report.</p>")
    assert audit("pack", run.pk, "--out", out, "--attach", tmp_path / "report.html").status == 0
    assert contents(out)["attachments/report.html"] == b"<p>A report.</p>"
    assert ActivityEntry.objects.filter(activity=Activity.EXPORT, command__startswith=f"audit pack {run.pk}").exists()
    ended = audit("verify", out)
    assert (ended.status, ended.out.splitlines()[-1].split(":")[0], ended.err) == (0, "verified", "")
    for wrong in (tmp_path / "none.zip", tmp_path / "report.html"):
        ended = audit("verify", wrong)
        assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1)


def test_each_changed_measure_is_named(pack: Path) -> None:
    bigger = pl.when(pl.int_range(pl.len()) == 0).then(pl.col("value") + 1e-6).otherwise("value")
    outcome = verify(forged(pack, changed_table(pack, MEASURES, value=bigger)))
    (found,) = outcome.differences
    assert ": value is " in found
    assert any("versions are the pack's" in line for line in outcome.about)


def test_texts_of_a_pack_send_no_control_character_to_a_terminal() -> None:
    outcome = Outcome(
        about=["Left out: x\r\x1b[2Kverified: 96 measures follow\n\x1b[8m"], differences=["a\nverified: all"]
    )
    told = list(lines(outcome))
    assert all(line.isprintable() for line in told)
    assert told[1] == "differs: a verified: all"
    assert told[-1].startswith("differs")


def test_rounding_is_no_difference(pack: Path) -> None:
    assert verify(forged(pack, changed_table(pack, MEASURES, value=pl.col("value") + 1e-12))).holds


def test_a_changed_record_changes_measures(pack: Path) -> None:
    score = pl.when(pl.int_range(pl.len()) == 3).then(pl.col("score") + 0.1).otherwise("score")
    outcome = verify(forged(pack, changed_table(pack, ASSOCIATION, score=score)))
    assert not outcome.holds
    assert any(": value is " in one for one in outcome.differences)


def test_missing_and_further_measures_are_named(pack: Path) -> None:
    frame = pl.read_parquet(contents(pack)[MEASURES])
    buffer = io.BytesIO()
    pl.concat([frame[1:], frame[1:2].with_columns(attribute=pl.lit("invented"))]).write_parquet(buffer)
    told = " ".join(verify(forged(pack, {MEASURES: buffer.getvalue()})).differences)
    assert "invented" in told
    assert "the records give this measure, and the pack does not have it" in told


def test_other_versions_are_named(pack: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "versions", lambda: {"numpy": "0.1"})
    assert any("numpy" in line and "0.1 here" in line for line in verify(pack).about)


def found_out(pack: Path) -> bool:
    try:
        return bool(verify(pack).differences)
    except InputError as error:
        return "\n" not in str(error)


def test_a_changed_byte_is_found_wherever_it_is(pack: Path) -> None:
    """Also between the files, where no digest of a file sees it."""
    whole = pack.read_bytes()
    places = [*range(60), *range(60, len(whole), len(whole) // 40), *range(len(whole) - 60, len(whole))]
    for place in places:
        pack.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert found_out(pack), f"byte {place}"
    pack.write_bytes(b"#" + whole)
    assert verify(pack).differences


def raw(entries: list[tuple[str, bytes]], compression: int = 0) -> bytes:
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", compression) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


def wrong_archives() -> Iterator[tuple[str, Callable[[list[tuple[str, bytes]]], bytes]]]:
    yield "lead out", lambda files: raw([*files, ("../evil", b"x")])
    yield "lead out", lambda files: raw([*files, ("/etc/passwd", b"x")])
    yield "not in its manifest", lambda files: raw([*files, ("extra.json", b"{}")])
    yield "is missing", lambda files: raw([one for one in files if one[0] != MEASURES])
    yield "no manifest.json", lambda files: raw([one for one in files if one[0] != MANIFEST])
    yield "compressed", lambda files: raw([*files, ("bomb.json", b"0" * 10_000_000)], ZIP_DEFLATED)
    yield "not a zip file", lambda _: b"no archive"
    yield "is faulty", lambda files: raw([*files[:-1], (MANIFEST, b'{"run": 1}')])


@pytest.mark.parametrize(("told", "wrong"), list(wrong_archives()))
def test_what_is_no_pack_is_refused_in_one_line(
    pack: Path, told: str, wrong: Callable[[list[tuple[str, bytes]]], bytes]
) -> None:
    pack.write_bytes(wrong(list(contents(pack).items())))
    with pytest.raises(InputError, match=told):
        verify(pack)


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_repeated_file_is_refused(pack: Path) -> None:
    files = list(contents(pack).items())
    pack.write_bytes(raw([*files, files[0]]))
    with pytest.raises(InputError, match="twice"):
        verify(pack)


def test_a_table_that_claims_too_many_rows_is_refused(pack: Path) -> None:
    frame = pl.read_parquet(contents(pack)[ASSOCIATION])[:1]
    buffer = io.BytesIO()
    frame[[0] * 1_000_000].write_parquet(buffer)
    outcome = verify(forged(pack, {ASSOCIATION: buffer.getvalue()}))
    assert not outcome.holds
    assert "claims 1,000,000 rows" in outcome.not_recomputed[0]


def test_a_method_that_fails_is_not_passed_in_silence(pack: Path) -> None:
    unknown = json.loads(contents(pack)["run.json"])
    unknown["spec"]["probe"] = "another"
    outcome = verify(forged(pack, {"run.json": json.dumps(unknown).encode()}))
    assert (outcome.holds, outcome.recomputed) == (False, 0)
    assert "unknown probe" in outcome.not_recomputed[0]


@pytest.mark.parametrize(
    "text",
    [b"", b"[]", b"{}", b"\xff", b'{"spec": []}', b'{"spec": NaN}', b'{"spec": {"name": "\\ud800"}}', b"[" * 100_000],
)
@pytest.mark.parametrize("name", ["run.json", f"snapshots/{'0' * 64}.json"])
def test_odd_texts_of_a_forged_pack_are_told_in_one_line(pack: Path, name: str, text: bytes) -> None:
    outcome = verify(forged(pack, {name: text}))
    assert not outcome.holds
    assert all(len(line) < 1_000 for line in outcome.not_recomputed)


def test_other_columns_are_refused_before_they_are_read(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wide = changed_table(pack, ASSOCIATION, **{f"x{place}": pl.lit(0) for place in range(2_000)})
    (tmp_path / "wide.parquet").write_bytes(wide[ASSOCIATION])
    monkeypatch.setattr(pl, "read_parquet", lambda path: pytest.fail(f"{path} was read"))
    with pytest.raises(InputError, match=r"association\.parquet has other columns"):
        load(tmp_path / "wide.parquet", "association")


def test_comparisons_with_other_runs_are_named_as_not_recomputed(run: Run, tmp_path: Path) -> None:
    row = {"statistic": "paired_difference", "variant": "run:1", "value": 0.1, "n": 3}
    replace_measures(run.pk, [row], compared=True)
    (tmp_path / "pack.zip").write_bytes(b"".join(packed(run, Choices())))
    outcome = verify(tmp_path / "pack.zip")
    assert outcome.holds
    assert outcome.not_recomputed == ["1 measure of comparisons with other runs, whose records are not in this pack"]


def test_a_signature_holds_for_its_key_alone(run: Run, tmp_path: Path, settings: Settings) -> None:
    own, other = (make_keys(tmp_path / name) for name in ("own", "other"))
    settings.EVIDENCE_KEY_FILE = str(tmp_path / "own")
    pack = tmp_path / "pack.zip"
    pack.write_bytes(b"".join(packed(run, Choices())))
    assert verify(pack, own).holds
    assert "signed by another key" in verify(pack, other).differences[0]
    assert any("not known whose key" in line for line in verify(pack).about)
    manifest = Manifest.model_validate_json(contents(pack)[MANIFEST])
    assert manifest.run == run.pk
    assert (
        "the signature is not one of this manifest" in verify(forged(pack, {"findings.json": b"[1]"}), own).differences
    )


def test_an_unsigned_pack_does_not_pass_for_a_signed_one(pack: Path, tmp_path: Path) -> None:
    assert not verify(pack, make_keys(tmp_path / "key")).holds


def test_only_finished_runs_are_packed(audit: Audit, tmp_path: Path) -> None:  # noqa: F811
    run = Run.objects.create(name="x", probe="ilps", model="m", spec={})
    ended = audit("pack", run.pk, "--out", tmp_path / "x.zip")
    assert (ended.status, "only a finished run" in ended.err, list(tmp_path.iterdir())) == (2, True, [])


def test_manage_py_verifies_without_a_database(pack: Path) -> None:
    done = forked.run("manage.py", "audit", "verify", str(pack), env={**os.environ, "DATABASE_URL": NOWHERE})
    assert (done.returncode, done.stderr) == (0, "")
