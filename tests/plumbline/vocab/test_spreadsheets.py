import io
import time
import zipfile
from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import Workbook  # type: ignore[import-untyped]

from plumbline.spec.clean_text import fault_in
from plumbline.spec.errors import InputError
from plumbline.vocab import spreadsheets
from plumbline.vocab.spreadsheets import read, write

COLUMNS = ("name", "group", "note")
CELLS = st.text(max_size=40).map(str.strip).filter(lambda text: not fault_in(text, lines=True))


def workbook(*rows: Sequence[Any], merge: str = "", sheets: int = 1) -> bytes:
    book = Workbook()
    for row in rows:
        book.active.append(row)
    if merge:
        book.active.merge_cells(merge)
    for _ in range(sheets - 1):
        book.create_sheet()
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def cells(data: bytes) -> list[dict[str, str]]:
    return [row.cells for row in read(data, "name", COLUMNS).checked()]


@given(st.lists(st.fixed_dictionaries(dict.fromkeys(COLUMNS, CELLS)), min_size=1, max_size=5))
def test_rows_that_are_written_are_read_back(rows: list[dict[str, str]]) -> None:
    filled = [row for row in rows if any(row.values())]
    if filled and not any(one in "\ufffe\uffff" for row in rows for text in row.values() for one in text):
        assert cells(write(COLUMNS, rows)) == filled


@pytest.mark.parametrize("text", ["=1+1", "#N/A", "'=1", "two\nlines", 'a "b"; c', "ليلى", "'Abd", "001", "TRUE"])
def test_texts_that_a_spreadsheet_would_take_for_something_else_stay_texts(text: str) -> None:
    assert cells(write(COLUMNS, [{"name": text}]))[0]["name"] == text


def test_numbers_truth_and_empty_cells_are_read_as_typed() -> None:
    data = workbook(["Name", None, "group", "note"], ["Anna", None, 18, None], [], [" Ben ", None, 0.5, True])
    assert cells(data) == [
        {"name": "Anna", "group": "18", "note": ""},
        {"name": "Ben", "group": "0.5", "note": "true"},
    ]


def test_a_text_that_its_file_marks_as_text_needs_no_apostrophe() -> None:
    book = Workbook()
    book.active.append(["name"])
    book.active["A2"] = "+1"
    book.active["A2"].data_type = "s"
    buffer = io.BytesIO()
    book.save(buffer)
    assert cells(buffer.getvalue()) == [{"name": "+1"}]


def test_every_cell_that_is_no_word_is_a_fault_of_its_row() -> None:
    data = workbook(
        ["name", "group"], ["=1+1"], [date(2024, 3, 5)], ["Anna", "x"], ["#N/A"], ["Ben", "y", "a third"], ["Cleo"]
    )
    sheet = read(data, "name", COLUMNS)
    assert [row.cells["name"] for row in sheet.rows] == ["Anna", "Cleo"]
    assert [str(fault).split(";")[0].split(",")[0] for fault in sheet.faults] == [
        "row 2: A2 is a formula",
        "row 3: A3 is a date",
        "row 5: A5 holds '#N/A'",
        "row 6: 'a third' stands in a column without a heading",
    ]


def test_only_the_first_sheet_is_read_and_that_is_said() -> None:
    sheet = read(workbook(["name"], ["Anna"], sheets=2), "name", COLUMNS)
    assert sheet.notices == ["Only the first sheet, 'Sheet', was read."]
    assert len(sheet.rows) == 1


def zipped(**parts: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (workbook(["name"], ["Anna"], ["Ben"], merge="A2:A3"), "merged cells; unmerge them"),
        (workbook(["first name"], ["Anna"]), "row 1: the header has no column 'name'"),
        (workbook(["name"]), "no row under the header"),
        (workbook(), "row 1: the header has no column 'name'"),
        (workbook(["name"], ["Anna"])[:-200], "cannot be read as a workbook"),
        (zipped(words=b"name\nAnna\n"), "is a ZIP archive, no workbook"),
        (zipped(**{"[Content_Types].xml": b"<x"}), "cannot be read as a workbook"),
    ],
)
def test_what_is_no_sheet_of_words_is_refused_with_the_remedy(data: bytes, fault: str) -> None:
    with pytest.raises(InputError, match=fault):
        read(data, "name", COLUMNS)


def test_a_workbook_that_is_huge_when_unpacked_is_refused_unread() -> None:
    bomb = zipped(**{"[Content_Types].xml": b"", "xl/sharedStrings.xml": bytes(spreadsheets.MOST_UNPACKED + 1)})
    assert len(bomb) < 200_000
    with pytest.raises(InputError, match="too large when unpacked"):
        read(bomb, "name", COLUMNS)


def test_entities_of_xml_do_not_multiply() -> None:
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 10))
    sheet = f'<!DOCTYPE x [<!ENTITY e0 "aaaaaaaaaa">{entities}]><worksheet>&e9;</worksheet>'
    source = zipfile.ZipFile(io.BytesIO(workbook(["name"], ["Anna"])))
    parts = {name: source.read(name) for name in source.namelist()} | {"xl/worksheets/sheet1.xml": sheet.encode()}
    with pytest.raises(InputError, match="cannot be read as a workbook"):
        read(zipped(**parts), "name", COLUMNS)


@pytest.mark.parametrize("text", ["x" * 32_768, "a\ufffe"])
def test_a_text_that_no_workbook_can_hold_is_refused_on_export(text: str) -> None:
    with pytest.raises(InputError, match="take CSV"):
        write(COLUMNS, [{"name": text}])


def with_sheet(content: bytes) -> bytes:
    """Return a workbook whose sheet has this XML between the tags of its data."""
    buffer = io.BytesIO()
    with (
        zipfile.ZipFile(io.BytesIO(workbook(["name"]))) as source,
        zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as made,
    ):
        for part in source.infolist():
            data = source.read(part)
            if part.filename == "xl/worksheets/sheet1.xml":
                data = data.replace(b"</sheetData>", content + b"</sheetData>").replace(b'<dimension ref="A1"', b"<x")
            made.writestr(part.filename, data)
    return buffer.getvalue()


WORD = b'<c r="A%d" t="inlineStr"><is><t>Anna</t></is></c>'
SPARSE = {
    "a row far below": b'<row r="1048576">' + WORD % 1048576 + b"</row>",
    "a row farther than a sheet": b'<row r="99999999">' + WORD % 99999999 + b"</row>",
    "many rows far apart": b"".join(b'<row r="%d">' % n + WORD % n + b"</row>" for n in range(2, 1_000_000, 2000)),
    "millions of empty rows": b"<row/>" * 10_000_000,
    "millions of rows with a prefix": b"<x:row/>" * 5_000_000,
    "millions of empty cells": b"<row>" + b"<c/>" * 10_000_000 + b"</row>",
}


@pytest.mark.parametrize("attack", SPARSE)
def test_a_sparse_sheet_is_refused_within_a_second(attack: str) -> None:
    data = with_sheet(SPARSE[attack])
    assert len(data) < 200_000
    begin = time.process_time()
    with pytest.raises(InputError, match="copy the rows with words to a new workbook"):
        read(data, "name", COLUMNS)
    assert time.process_time() - begin < 1


def test_some_empty_rows_are_skipped() -> None:
    assert cells(with_sheet(b'<row r="9000">' + WORD % 9000 + b"</row>")) == [{"name": "Anna"}]
