import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.errors import InputError
from plumbline.vocab.json_file import read, write

COLUMNS = ("name", "group", "note")
CELLS = st.text(st.characters(codec="utf-8")).map(str.strip)


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(COLUMNS, CELLS)), min_size=1))
def test_rows_that_are_written_are_read_back(rows: list[dict[str, str]]) -> None:
    filled = [{column: text for column, text in row.items() if text} for row in rows]
    assert [row.cells for row in read(write(rows), COLUMNS).checked()] == filled


def test_numbers_truth_nothing_and_lists_of_words_become_texts() -> None:
    sheet = read('[{"name": 18, "group": true, "note": ["a", "b"]}, {"name": "=1", "note": null}]', COLUMNS)
    assert [row.cells for row in sheet.checked()] == [
        {"name": "18", "group": "yes", "note": "a; b"},
        {"name": "=1", "note": ""},
    ]


def test_every_faulty_entry_is_reported() -> None:
    sheet = read('[{"nom": "A"}, "B", {"name": {"x": 1}}, {"name": ["a;b"]}, {"name": "E"}]', COLUMNS)
    assert [row.line for row in sheet.rows] == [5]
    assert [str(fault)[:20] for fault in sheet.faults] == [
        "entry 1: unknown key",
        "entry 2: it is no ob",
        "entry 3: name is nei",
        "entry 4: name is nei",
    ]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("[", "is no JSON"),
        ('{"name": "Anna"}', "holds no list"),
        ("[]", "no row"),
        ("[" * 100_000, "nested too deeply|is no JSON"),
        ("[" + "1" * 5000 + "]", "is no JSON"),
    ],
)
def test_what_is_no_list_of_objects_is_refused(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        read(text, COLUMNS)
