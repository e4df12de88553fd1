from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.spec.errors import InputError
from plumbline.vocab import csv_file
from plumbline.vocab.csv_file import decode, parse, read, read_text, write

COLUMNS = ("name", "group", "note")
CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\x00")).map(str.strip)


def cells(text: str) -> list[dict[str, str]]:
    return [row.cells for row in parse(text, "name", COLUMNS)]


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(COLUMNS, CELLS)), min_size=1))
def test_rows_that_are_written_are_read_back(rows: list[dict[str, str]]) -> None:
    filled = [row for row in rows if any(row.values())]
    if filled:
        assert cells(write(COLUMNS, rows)) == filled


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_header_decides_between_comma_semicolon_and_tab(delimiter: str) -> None:
    text = "Name,Group\r\nAnna,a;b\r\n".replace(",", delimiter) if delimiter != ";" else 'Name;Group\r\nAnna;"a;b"\r\n'
    assert cells(text) == [{"name": "Anna", "group": "a;b"}]


def test_apostrophes_quotes_commas_and_right_to_left_names_are_read_as_they_are() -> None:
    text = 'name\nO\'Brien\n"Smith, Jr."\n"the ""Kid"""\nليلى\n'
    assert [row["name"] for row in cells(text)] == ["O'Brien", "Smith, Jr.", 'the "Kid"', "ليلى"]


def test_rows_know_the_line_at_which_they_start() -> None:
    text = 'name,note\nAnna,"one\ntwo"\n\n,\nBen,\n'
    assert [(row.line, row.cells["name"]) for row in parse(text, "name", COLUMNS)] == [(2, "Anna"), (6, "Ben")]


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("", "line 1: the header has no column 'name'"),
        ("first name\nAnna\n", "line 1: the header has no column 'name'"),
        ("name,grup\nAnna,x\n", "line 1: unknown column 'grup'; the columns are name, group, note"),
        ("name,Name\nAnna,Ben\n", "line 1: the column 'name' appears twice"),
        ("name,group\n", "no row under the header"),
        ("name,group\n\n,\n", "no row under the header"),
        ("name,group\nAnna,x\nBen\n", "line 3: 1 cell under a header of 2"),
        ("name\nAnna\nSmith, Jr.\n", "line 3: 2 cells under a header of 1"),
        ("name\nAnna\n=1+1\n", "line 3: '=1\\+1' would be a formula"),
        ('name\nAnna\n"Ben\n', "line 3: unexpected end of data"),
    ],
)
def test_a_bad_file_is_refused_with_the_line_of_the_fault(text: str, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        parse(text, "name", COLUMNS)


def test_all_faulty_rows_are_reported_and_the_good_ones_read() -> None:
    sheet = read('name,group\nAnna,x\nBen\n=1+1,y\nCleo,z\n"Dora"s,z\nEve,z\n', "name", COLUMNS)
    assert [row.cells["name"] for row in sheet.rows] == ["Anna", "Cleo"]
    assert [fault.line for fault in sheet.faults] == [3, 4, 6]
    assert "check the quotes" in sheet.faults[-1].text


def test_a_line_without_end_is_refused() -> None:
    with pytest.raises(InputError, match="line 1: field larger than field limit"):
        parse("x" * 200_000, "name", COLUMNS)


@pytest.mark.parametrize("row", ["x", "=1"])
def test_more_rows_than_a_list_may_have_are_refused_be_they_good_or_bad(row: str) -> None:
    with pytest.raises(InputError, match="more than 100,000 rows; split the file"):
        parse("name\n" + f"{row}\n" * 100_001, "name", COLUMNS)


def test_utf8_is_read_with_and_without_a_byte_order_mark(write_file: Callable[..., Path]) -> None:
    for encoding in ("utf-8", "utf-8-sig"):
        assert read_text(write_file("name\nRenée\n", encoding=encoding)) == ("name\nRenée\n", [])


def test_cp1252_is_read_with_a_notice(write_file: Callable[..., Path]) -> None:
    text, notices = read_text(write_file("name\nRenée\n", encoding="cp1252"))
    assert text == "name\nRenée\n"
    assert notices == ["words.csv is not UTF-8 and was read as cp1252: check the accented letters."]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"PK\x03\x04rest", "is an Excel workbook"),
        ("name\nAnna\n".encode("utf-16"), "is text in UTF-16"),
        (b"name\n\x81\xff\n", "is neither UTF-8 nor cp1252"),
    ],
)
def test_what_is_no_csv_file_is_refused_with_the_remedy(tmp_path: Path, data: bytes, fault: str) -> None:
    path = tmp_path / "words.csv"
    path.write_bytes(data)
    with pytest.raises(InputError, match=f"{fault}.*save it as CSV UTF-8"):
        read_text(path)


def test_a_picture_called_csv_is_refused() -> None:
    with pytest.raises(InputError, match=r"words.csv is no text, since it has a zero byte"):
        decode("words.csv", b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")


def test_a_large_file_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "words.csv"
    with path.open("wb") as file:
        file.truncate(csv_file.MOST_BYTES + 1)
    with pytest.raises(InputError, match="larger than 20 MB"):
        read_text(path)


def test_a_file_that_is_not_there_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        read_text(tmp_path / "nothing.csv")
    with pytest.raises(InputError, match="Is a directory"):
        read_text(tmp_path)
