"""Tables of templates as people save them, the cells verbatim."""

from pathlib import Path

import pytest

from plumbline.methods.bbq.bank import tables, templates
from plumbline.spec.errors import InputError
from tests.plumbline.methods.bbq.bank.some_examples import TEMPLATE, table


@pytest.mark.parametrize(
    ("delimiter", "encoding"),
    [(",", "utf-8"), (",", "utf-8-sig"), (";", "cp1252"), (";", "utf-8-sig"), ("\t", "utf-8")],
)
def test_a_table_is_read_as_any_excel_saves_it(tmp_path: Path, delimiter: str, encoding: str) -> None:
    row = TEMPLATE | {"Proper_nouns_only": "WAHR", "Answer_negative": "Zoë, at the desk; ", "Notes": " Müller 2002"}
    rows, _ = templates.read([table(tmp_path / "t.csv", [row], delimiter, encoding)])
    ((place, found),) = rows
    assert place == "t.csv, line 2"
    assert (found.answer_negative, found.notes, found.proper) == ("Zoë, at the desk; ", "Müller 2002", True)
    assert (found.groups, found.category, found.value) == (("old",), "Age", "skill")


def test_a_curator_may_write_groups_with_semicolons(tmp_path: Path) -> None:
    row = TEMPLATE | {"Known_stereotyped_groups": "old; disabled", "Category": " DisabilityStatus "}
    ((_, found),) = templates.read([table(tmp_path / "t.csv", [row])])[0]
    assert (found.groups, found.category) == (("old", "disabled"), "Disability_status")


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"Known_stereotyped_groups": '["old"'}, "is no list of groups"),
        ({"Q_id": " "}, "Q_id: is empty"),
    ],
)
def test_a_faulty_row_is_named(tmp_path: Path, changed: dict[str, str], told: str) -> None:
    path = table(tmp_path / "t.csv", [TEMPLATE, TEMPLATE | changed])
    with pytest.raises(InputError, match=r"^t\.csv, line 3: ") as refused:
        templates.read([path])
    assert told in str(refused.value)


def test_an_empty_line_and_a_row_without_a_context_are_passed_over(tmp_path: Path) -> None:
    path = table(tmp_path / "t.csv", [TEMPLATE, dict.fromkeys(TEMPLATE, ""), TEMPLATE | {"Ambiguous_Context": " "}])
    assert len(templates.read([path])[0]) == 1


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a,b\n1,2\n", "line 1: there is no column 'c'"),
        ("c,c\n1,2\n", "line 1: the column 'c' appears twice"),
        ("c,d\n1,2\n3\n", "line 3: 1 cell under a header of 2"),
        ('c,d\n1,"2\n', "check the quotes"),
    ],
)
def test_a_broken_table_is_reported_with_its_line(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(InputError, match=r"^t\.csv, line ") as refused:
        tables.rows(tmp_path / "t.csv", ["c"])
    assert told in str(refused.value)
