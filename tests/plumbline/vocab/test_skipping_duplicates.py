"""Imports that leave out rows whose words are there already."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from plumbline.spec.errors import InputError
from plumbline.vocab.importing import Imported, import_file
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import NameList
from tests.plumbline.vocab.test_exchange import confirm, names, person, upload

pytestmark = pytest.mark.django_db

Write = Callable[..., Path]


def bring(path: Path, kind: str = "names", slug: str = "three", **options: Any) -> Imported:
    return import_file(KINDS[kind], path, slug, **options)


def test_rows_of_the_list_and_repeated_rows_are_left_out_and_named(three_names: NameList, write_file: Write) -> None:
    path = write_file("name,group\nAnna,writers\nDora,new\nDora,newer\n")
    done = bring(path, update=True, skip_duplicates=True)
    assert [str(row) for row in done.skipped] == [
        "line 2: 'Anna' is in the list already",
        "line 4: 'Dora' is on line 3 already",
    ]
    assert [(name.name, name.group) for name in three_names.rows()] == [
        ("Anna", "readers"),
        ("Ben", "readers"),
        ("Cleo", "readers"),
        ("Dora", "new"),
    ]


def test_a_file_that_replaces_the_list_skips_only_its_own_repetitions(three_names: NameList, write_file: Write) -> None:
    done = bring(write_file("name,group\nAnna,writers\nAnna,new\n"), skip_duplicates=True)
    assert [row.line for row in done.skipped] == [3]
    assert [(name.name, name.group) for name in three_names.rows()] == [("Anna", "writers")]


def test_without_the_choice_a_repeated_row_is_an_error(three_names: NameList, write_file: Write) -> None:
    with pytest.raises(InputError, match="line 3: 'Dora' appears on line 2 already; keep one"):
        bring(write_file("name\nDora\nDora\n"), update=True)
    assert names(three_names) == ["Anna", "Ben", "Cleo"]


def test_a_row_that_has_a_word_twice_is_an_error_all_the_same(write_file: Write) -> None:
    with pytest.raises(InputError, match="'calm' appears twice on it"):
        bring(write_file("left,right\ncalm,calm\n"), "traits", "moods", skip_duplicates=True)


def test_the_command_names_the_skipped_rows(
    three_names: NameList, write_file: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write_file("name\nAnna\nDora\n")
    call_command("vocab", "import", "names", str(path), "--list", "three", "--update", "--skip-duplicates")
    out, err = capsys.readouterr()
    assert "1 duplicate row was skipped:\nline 2: 'Anna' is in the list already" in err
    assert "4 entries (1 added, 0 changed, 0 removed)" in out


def test_the_page_skips_what_its_preview_names(client: Client, three_names: NameList) -> None:
    curator = person(client, role="curator")
    form = {"word_list": "three", "mode": "update", "skip_duplicates": "on"}
    shown = upload(curator, "name\nAnna\nDora\nDora\n", **form)
    assert [row.word for row in shown.context["skipped"]] == ["Anna", "Dora"]
    assert "2 duplicate rows will" in shown.content.decode()
    confirm(curator, shown)
    assert names(three_names) == ["Anna", "Ben", "Cleo", "Dora"]
