"""CSV files as people have them: UTF-8 with or without BOM, or Excel's cp1252; commas, semicolons or tabs."""

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from plumbline.spec.errors import InputError
from plumbline.vocab.cells import escape, unescape
from plumbline.vocab.faults import Fault
from plumbline.vocab.sheet import Row, Sheet, check_filled, check_header, fill

MOST_BYTES = 20_000_000
LONGEST_HEADER = 10_000
DELIMITERS = (",", ";", "\t")
_SIGNATURES = {
    b"PK\x03\x04": "an Excel workbook or ZIP archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
}


def read_bytes(path: Path) -> bytes:
    """Return the file's content. Raises InputError if it cannot be read or is larger than MOST_BYTES."""
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path.name} is larger than {MOST_BYTES // 1_000_000} MB; split it.")
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}.") from None


def read_text(path: Path) -> tuple[str, list[str]]:
    """Return the file's text, and notices for its owner. Raises InputError as `read_bytes` and `decode`."""
    return decode(path.name, read_bytes(path))


def decode(name: str, data: bytes) -> tuple[str, list[str]]:
    """Decode the content of a file of that name.

    Return the text, and notices for its owner. Raises InputError for no text.
    """
    for signature, what in _SIGNATURES.items():
        if data.startswith(signature):
            raise InputError(f"{name} is {what}; save it as CSV UTF-8.")
    if b"\0" in data:
        raise InputError(f"{name} is no text, since it has a zero byte; save the words as CSV UTF-8 or XLSX.")
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252"), [f"{name} is not UTF-8 and was read as cp1252: check the accented letters."]
    except UnicodeDecodeError:
        raise InputError(f"{name} is neither UTF-8 nor cp1252; save it as CSV UTF-8.") from None


def parse(text: str, required: str, known: Sequence[str]) -> list[Row]:
    """Return the rows of a faultless text. Raises InputError as `read`, and FaultyFileError for faulty rows."""
    return read(text, required, known).checked()


def read(text: str, required: str, known: Sequence[str]) -> Sheet:
    """Return the rows under a header that has the column `required` and only columns of `known`, without empty lines.

    A row of the wrong length, a cell that is a formula and broken quotes become faults of the sheet. Raises
    InputError, with the line's number, for a faulty header, for too many rows and for no row at all.
    """
    sheet = Sheet()
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text, required), strict=True)
        header = [cell.strip().lower() for cell in next(reader, [])]
        check_header(header, required, known)
    except (csv.Error, InputError) as error:
        raise InputError(f"line 1: {str(error).rstrip('.')}.") from None
    fill(sheet, header, _lines(reader, sheet), unescape)
    check_filled(sheet)
    return sheet


def _lines(reader: Any, sheet: Sheet) -> Iterator[tuple[int, list[str]]]:
    """Yield the lines that are not empty, each with its number.

    Broken quotes end the text: later lines cannot be separated.
    """
    start = reader.line_num + 1
    try:
        for cells in reader:
            if any(cells):
                yield start, cells
            start = reader.line_num + 1
    except csv.Error as error:
        sheet.blame(Fault(start, f"{error}; check the quotes"))


def _delimiter(text: str, required: str) -> str:
    """Return the delimiter under which the first line has the required column, so that data cannot mislead."""
    first = text[:LONGEST_HEADER].splitlines()[:1]
    for delimiter in DELIMITERS:
        header = next(csv.reader(first, delimiter=delimiter), [])
        if required in (cell.strip().lower() for cell in header):
            return delimiter
    return DELIMITERS[0]


def write(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> str:
    """Return the CSV text of rows (RFC 4180), safe to open in a spreadsheet; `parse` gives the rows back."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(columns)
    writer.writerows([escape(row.get(column, "")) for column in columns] for row in rows)
    return buffer.getvalue()
