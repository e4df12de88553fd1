"""CSV files as people have them: UTF-8 with or without BOM, or Excel's cp1252; commas, semicolons or tabs."""

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from plumbline.spec.errors import InputError
from plumbline.vocab.cells import escape, unescape

MOST_BYTES = 20_000_000
DELIMITERS = (",", ";", "\t")
_SIGNATURES = {
    b"PK\x03\x04": "an Excel workbook or ZIP archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"\xff\xfe": "text in UTF-16",
    b"\xfe\xff": "text in UTF-16",
}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of data with the number at which it starts in the file; columns that the file lacks are absent."""

    line: int
    cells: dict[str, str]


def read_text(path: Path) -> tuple[str, list[str]]:
    """The file's text, and notices for its owner.

    Raises InputError when it cannot be read, is larger than MOST_BYTES, or is no text.
    """
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"{path.name} is larger than {MOST_BYTES // 1_000_000} MB; split it.")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror}.") from None
    for signature, what in _SIGNATURES.items():
        if data.startswith(signature):
            raise InputError(f"{path.name} is {what}; save it as CSV UTF-8.")
    try:
        return data.decode("utf-8-sig"), []
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("cp1252"), [f"{path.name} is not UTF-8 and was read as cp1252: check the accented letters."]
    except UnicodeDecodeError:
        raise InputError(f"{path.name} is neither UTF-8 nor cp1252; save it as CSV UTF-8.") from None


def parse(text: str, required: str, known: Sequence[str]) -> list[Row]:
    """The rows under a header that has the column `required` and no column outside of `known`, without empty lines.

    Raises InputError, with the line's number, for a faulty header, a row of the wrong length, a cell that is a formula,
    broken quotes, or no row at all.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text, required), strict=True)
    rows: list[Row] = []
    start = 1
    try:
        header = [cell.strip().lower() for cell in next(reader, [])]
        _check_header(header, required, known)
        start = reader.line_num + 1
        for cells in reader:
            if any(cells):
                rows.append(_row(start, header, cells))
            start = reader.line_num + 1
    except (csv.Error, InputError) as error:
        raise InputError(f"line {start}: {str(error).rstrip('.')}.") from None
    if not rows:
        raise InputError("there is no row under the header; give at least one entry.")
    return rows


def _delimiter(text: str, required: str) -> str:
    """The delimiter under which the first line has the required column: one that data cannot mislead."""
    first = text.splitlines()[:1]
    for delimiter in DELIMITERS:
        header = next(csv.reader(first, delimiter=delimiter), [])
        if required in (cell.strip().lower() for cell in header):
            return delimiter
    return DELIMITERS[0]


def _check_header(header: list[str], required: str, known: Sequence[str]) -> None:
    if required not in header:
        raise InputError(f"the header has no column {required!r}; the columns are {', '.join(known)}")
    if foreign := [column for column in header if column not in known]:
        raise InputError(f"unknown column {foreign[0]!r}; the columns are {', '.join(known)}")
    if double := [column for column in header if header.count(column) > 1]:
        raise InputError(f"the column {double[0]!r} stands twice")


def _row(line: int, header: list[str], cells: list[str]) -> Row:
    if len(cells) != len(header):
        raise InputError(f"{len(cells)} cells under a header of {len(header)}; quote cells that hold the delimiter")
    return Row(line, {column: unescape(cell) for column, cell in zip(header, cells, strict=True)})


def write(columns: Sequence[str], rows: Iterable[Mapping[str, str]]) -> str:
    """The CSV text of rows (RFC 4180), safe to open in a spreadsheet; `parse` gives the rows back."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(columns)
    writer.writerows([escape(row.get(column, "")) for column in columns] for row in rows)
    return buffer.getvalue()
