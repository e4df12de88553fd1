"""XLSX workbooks of words: the values of the first sheet. Formulas, dates and merged cells are refused, not guessed."""

import io
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from zipfile import ZipFile, ZipInfo

from openpyxl import Workbook, load_workbook  # type: ignore[import-untyped]
from openpyxl.cell import WriteOnlyCell  # type: ignore[import-untyped]

from plumbline.spec.errors import InputError
from plumbline.vocab.cells import escape, unescape_typed
from plumbline.vocab.faults import Fault
from plumbline.vocab.sheet import MOST_ROWS as MOST_SHEET_ROWS
from plumbline.vocab.sheet import Row, Sheet, check_filled, check_header

SIGNATURE = b"PK\x03\x04"
MOST_UNPACKED = 100_000_000
"""The number of bytes of a workbook's parts together. zipfile reads no more of a part than its header says."""
MOST_PARTS = 500
MOST_EMPTY_ROWS = 10_000
"""The most empty rows between or after the words. A sheet of a few bytes can claim a million."""
MOST_CELLS = 2_000_000
"""The most cells of a sheet, empty or not."""
CHUNK = 1_000_000
MOST_ROWS, MOST_COLUMNS = 1_048_576, 64
LONGEST_CELL = 32_767
UNIT = "row"


_ROW_TAGS = (b"<row", b":row")
_CELL_TAGS = (b"<c ", b"<c/", b"<c>", b":c ", b":c/", b":c>")
_TOO_MANY = (
    f"the sheet has more than {MOST_SHEET_ROWS:,} rows, {MOST_EMPTY_ROWS:,} empty rows or {MOST_CELLS:,} cells; copy"
    " the rows with words to a new workbook, or save it as CSV."
)
_MERGED = re.compile(rb"<(\w+:)?mergeCell\b")
_NOT_IN_XML = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]")


def read(data: bytes, required: str, known: Sequence[str]) -> Sheet:
    """Return the rows of the first sheet, as `csv_file.read`. Raises InputError for no workbook or a faulty header."""
    try:
        with ZipFile(io.BytesIO(data)) as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of decorations that openpyxl does not know
            check_size(archive)
            return _first_sheet(archive, data, required, known)
    except InputError:
        raise
    except Exception as error:  # a broken workbook may raise anything: BadZipFile, KeyError, ParseError, ...
        raise InputError(f"it cannot be read as a workbook ({type(error).__name__}); save it again as XLSX.") from None


def check_size(archive: ZipFile) -> None:
    """Raise InputError for a workbook whose parts are huge once unpacked."""
    parts = archive.infolist()
    if len(parts) > MOST_PARTS or sum(part.file_size for part in parts) > MOST_UNPACKED:
        raise InputError("the workbook is too large when unpacked; keep only the sheet of words, or save it as CSV.")
    if not any(part.filename == "[Content_Types].xml" for part in parts):
        raise InputError("it is a ZIP archive, no workbook; unpack it and choose the file in it.")
    for part in parts:
        if part.filename.startswith("xl/worksheets/"):
            _check_tags(archive, part)


def _check_tags(archive: ZipFile, part: ZipInfo) -> None:
    """Raise InputError for a sheet with too many rows or cells as soon as they are counted, before anything is parsed.

    The text of a cell may look like a tag, so the limits are far above those of a sheet of words.
    """
    rows = cells = 0
    with archive.open(part) as content:
        while chunk := content.read(CHUNK):
            rows += sum(map(chunk.count, _ROW_TAGS))
            cells += sum(map(chunk.count, _CELL_TAGS))
            if rows > MOST_SHEET_ROWS + MOST_EMPTY_ROWS or cells > MOST_CELLS:
                raise InputError(_TOO_MANY)


def _first_sheet(archive: ZipFile, data: bytes, required: str, known: Sequence[str]) -> Sheet:
    book = load_workbook(io.BytesIO(data), read_only=True, keep_links=False)
    first = book.worksheets[0]
    if _MERGED.search(archive.read(first._worksheet_path)):
        raise InputError("it has merged cells; unmerge them and fill each cell.")
    sheet = Sheet()
    if len(book.worksheets) > 1:
        sheet.notices.append(f"Only the first sheet, {first.title!r}, was read.")
    lines = _lines(first.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS))
    line, cells = next(lines, (1, ()))
    try:
        header = [_text(cell).lower() for cell in cells]
        check_header([column for column in header if column], required, known)
    except InputError as error:
        raise InputError(f"{UNIT} {line}: {str(error).rstrip('.')}.") from None
    for line, cells in lines:
        try:
            sheet.add(Row(line, _cells(header, cells), UNIT))
        except _CellError as error:
            sheet.blame(Fault(line, str(error), UNIT))
    check_filled(sheet)
    return sheet


class _CellError(InputError):
    """A cell that holds no word."""


def _lines(rows: Iterable[Sequence[Any]]) -> Iterator[tuple[int, Sequence[Any]]]:
    """Yield the rows that are not empty, each with its number in the sheet. Raises InputError for many empty ones."""
    empty = 0
    for number, cells in enumerate(rows, start=1):
        if any(cell.value not in (None, "") for cell in cells):
            yield number, cells
        elif (empty := empty + 1) > MOST_EMPTY_ROWS:
            raise InputError(_TOO_MANY)


def _cells(header: Sequence[str], cells: Sequence[Any]) -> dict[str, str]:
    texts = {}
    for column, cell in zip(header, cells, strict=True):
        text = _text(cell)
        if column:
            texts[column] = text
        elif text:
            raise _CellError(f"{text[:40]!r} stands in a column without a heading; name the column in the first row")
    return texts


def _text(cell: Any) -> str:
    """Return the cell's value as typed. Raises _CellError if a spreadsheet shows something other than it stores."""
    match cell.data_type, cell.value:
        case _, None:
            return ""
        case "s", str() as text:
            return unescape_typed(text)
        case "b", bool() as truth:
            return str(truth).lower()
        case "n", int() | float() as number:
            return str(int(number)) if number == int(number) else str(number)
        case "d", moment:
            raise _CellError(f"{cell.coordinate} is a date, {moment}; format the cell as text and type the word again")
        case "f", _:
            raise _CellError(f"{cell.coordinate} is a formula; paste its value instead")
    raise _CellError(f"{cell.coordinate} holds {str(cell.value)[:40]!r}, which is no word; type the word again")


def write(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> bytes:
    """Return a workbook of one sheet with all cells as text; `read` gives the rows back.

    Raises InputError for a text that no workbook can hold.
    """
    texts = [[escape(row.get(column, "")) for column in columns] for row in rows]
    for text in (text for row in texts for text in row):
        if len(text) > LONGEST_CELL or _NOT_IN_XML.search(text):
            raise InputError(f"{text[:40]!r} is too long for a cell, or has a character no workbook holds; take CSV.")
    book = Workbook(write_only=True)
    page = book.create_sheet("words")
    page.append(list(columns))
    for row in texts:
        page.append([_cell(page, text) for text in row])
    buffer = io.BytesIO()
    book.save(buffer)
    return buffer.getvalue()


def _cell(page: Any, text: str) -> Any:
    cell = WriteOnlyCell(page, text or None)
    if text:
        cell.data_type = "s"  # also if openpyxl would see an error value, such as #N/A
    return cell
