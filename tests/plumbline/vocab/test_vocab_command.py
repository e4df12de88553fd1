import os
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from plumbline.vocab import seeding
from plumbline.vocab.banks import starter_banks
from plumbline.vocab.content import version
from plumbline.vocab.models import NameList
from tests.processes import forked

pytestmark = pytest.mark.django_db


def test_starter_says_what_it_did(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("vocab", "starter")
    count = len(seeding.seeds()) + len(starter_banks.bank_seeds())
    assert capsys.readouterr().out.startswith(f"starter data: {count} created")
    NameList.objects.filter(slug="sodapop-names").update(title="Ours now")
    call_command("vocab", "starter")
    assert capsys.readouterr().out == (
        f"kept as edited: names sodapop-names\nstarter data: 1 kept, {count - 1} unchanged\n"
    )


def test_import_says_what_changed(
    three_names: NameList, write_file: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_file("name\nRenée\n", encoding="cp1252")
    call_command("vocab", "import", "names", str(path), "--list", "three", "--title", "One name")
    shown = capsys.readouterr()
    assert shown.out == "names three: 1 entry (1 added, 0 changed, 3 removed)\n"
    assert "read as cp1252" in shown.err
    assert NameList.objects.get().title == "One name"


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (("import", "names", "missing.csv", "--list", "three"), "No such file"),
        (("import", "colours", "missing.csv"), "unknown kind 'colours'; the kinds are names, groups, traits"),
        (("export", "names", "--list", "tree"), "did you mean three?"),
        (("export", "names", "--out", "/nowhere/names.csv"), "cannot write /nowhere/names.csv"),
    ],
)
def test_wrong_input_ends_with_exit_status_2(three_names: NameList, arguments: tuple[str, ...], fault: str) -> None:
    with pytest.raises(CommandError, match=fault) as refused:
        call_command("vocab", *arguments)
    assert refused.value.returncode == 2
    assert "\n" not in str(refused.value)


def test_all_faulty_lines_of_a_file_are_printed(
    three_names: NameList, write_file: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_file("name\n" + "Anna\n" * 151)
    with pytest.raises(CommandError, match=r"words.csv: 150 faulty lines; nothing was changed\."):
        call_command("vocab", "import", "names", str(path), "--list", "three")
    shown = capsys.readouterr().err.splitlines()
    assert shown[0] == "line 3: 'Anna' appears on line 2 already; keep one."
    assert len(shown) == 101
    assert shown[-1] == "... and 50 more."


def test_an_update_leaves_what_the_file_lacks(
    three_names: NameList, write_file: Callable[..., Path], capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("vocab", "import", "names", str(write_file("name\nDora\n")), "--list", "three", "--update")
    assert capsys.readouterr().out == "names three: 4 entries (1 added, 0 changed, 0 removed)\n"


def test_export_to_a_file_can_be_imported_again(three_names: NameList, tmp_path: Path) -> None:
    out, before = tmp_path / "names.csv", version("names", "three")
    call_command("vocab", "export", "names", "--list", "three", "--out", str(out))
    assert out.read_bytes().startswith("\ufefflist,".encode())
    three_names.delete()
    call_command("vocab", "import", "names", str(out))
    assert version("names", "three") == before


def test_export_without_a_file_goes_to_standard_output(
    three_names: NameList, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("vocab", "export", "names")
    assert "three,,,,,,,Ben,readers" in capsys.readouterr().out


def test_list_shows_size_and_version(three_names: NameList, capsys: pytest.CaptureFixture[str]) -> None:
    NameList.objects.create(slug="empty", title="Empty")
    call_command("vocab", "list")
    empty, three = capsys.readouterr().out.splitlines()
    assert three.split() == ["names", "three", "3", version("names", "three")[:12], "Three", "names"]
    assert empty.split()[:4] == ["names", "empty", "0", "-"]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_real_process_ends_with_one_line_and_status_2(tmp_path: Path) -> None:
    database = connection.settings_dict
    url = "postgres://{USER}:{PASSWORD}@{HOST}:{PORT}/{NAME}".format(**database)
    command = ("manage.py", "vocab", "import", "names", tmp_path / "none.csv", "--list", "x")
    ended = forked.run(*command, env={**os.environ, "DATABASE_URL": url})
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert "none.csv: No such file" in ended.stderr
