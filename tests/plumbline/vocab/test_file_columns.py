"""What the import page says about a file: its columns, and the first entries of a list as an example."""

import pytest
from django.test import Client

from plumbline.vocab.file_columns import MOST_ROWS, column_notes, example
from plumbline.vocab.kinds import KINDS
from plumbline.vocab.models import Name, NameList
from tests.plumbline.vocab.test_exchange import IMPORT, person

NAMES = KINDS["names"]


@pytest.mark.parametrize("kind", KINDS)
def test_every_column_has_a_note_or_a_name_that_says_it_all(kind: str) -> None:
    assert [column for column, _ in column_notes(KINDS[kind])] == list(KINDS[kind].columns)


def test_a_column_with_few_values_lists_them() -> None:
    assert "one of: she, he, they" in dict(column_notes(NAMES))["pronoun"]


@pytest.mark.django_db
def test_the_example_is_the_list_that_one_came_from_and_else_the_first_with_entries(three_names: NameList) -> None:
    NameList.objects.create(slug="empty", title="Empty")
    other = NameList.objects.create(slug="a-first", title="First")
    Name.objects.bulk_create(Name(word_list=other, name=f"n{number}", position=number) for number in range(9))
    found, first = example(NAMES, "three"), example(NAMES, "empty")
    assert found
    assert found.rows.cells[0][0] == "Anna"
    assert first
    assert [row[0] for row in first.rows.cells] == [f"n{number}" for number in range(MOST_ROWS)]


@pytest.mark.django_db
def test_where_no_list_has_entries_there_is_no_example() -> None:
    assert example(NAMES) is None


@pytest.mark.django_db
def test_the_page_shows_the_example_escaped_and_leads_to_the_whole_file(client: Client, three_names: NameList) -> None:
    Name.objects.filter(name="Anna").update(name="<b>Anna")
    shown = person(client, role="curator").get(f"{IMPORT}?list=three").content.decode()
    assert "&lt;b&gt;Anna" in shown
    assert "/admin/vocab/namelist/export/?list=three&amp;format=csv" in shown
    assert "How frequent the name is, in the list&#x27;s own unit; empty: not known" in shown
