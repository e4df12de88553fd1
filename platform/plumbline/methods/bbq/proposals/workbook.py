"""Tables in XLSX workbooks as offices publish them: on any sheet, under a header that need not be its first row."""

import io
import warnings
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any
from zipfile import ZipFile

from openpyxl import load_workbook  # type: ignore[import-untyped]

from plumbline.spec.errors import InputError
from plumbline.vocab.bundles import Sent
from plumbline.vocab.spreadsheets import MOST_COLUMNS, check_size

Line = tuple[str, dict[str, Any]]
HEADER_WITHIN, MOST_ROWS = 20, 200_000


def lines(file: Sent, columns: Sequence[str]) -> list[Line]:
    """Return the rows under the header that has these columns, each with its place. A row of one cell is a remark.

    Raises InputError for what is no workbook, and for one without such a header.
    """
    try:
        with ZipFile(io.BytesIO(file.data)) as archive, warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of decorations that openpyxl does not know
            check_size(archive)
            book = load_workbook(io.BytesIO(file.data), read_only=True, data_only=True, keep_links=False)
            found = next((rows for sheet in book.worksheets if (rows := _under(sheet, file.name, columns))), [])
    except InputError as error:
        raise InputError(f"{file.name}: {error}") from None
    except Exception as error:  # a broken workbook may raise anything: BadZipFile, KeyError, ParseError, ...
        raise InputError(
            f"{file.name} cannot be read as a workbook ({type(error).__name__}); fetch it again as XLSX."
        ) from None
    if not found:
        raise InputError(f"{file.name} has no table with the columns {', '.join(columns)}; fetch it again.")
    return found


def _under(sheet: Any, name: str, columns: Sequence[str]) -> list[Line]:
    """Return the rows under the header of a sheet; none if it has no such header."""
    rows = enumerate(sheet.iter_rows(max_row=MOST_ROWS, max_col=MOST_COLUMNS, values_only=True), start=1)
    for _, cells in islice(rows, HEADER_WITHIN):
        header = [str(cell or "").strip().lower() for cell in cells]
        if all(column.lower() in header for column in columns):
            return list(_lines(rows, f"{name}, sheet {sheet.title!r}", header))
    return []


def _lines(rows: Iterator[tuple[int, Sequence[Any]]], name: str, header: Sequence[str]) -> Iterator[Line]:
    for number, cells in rows:
        if sum(cell is not None for cell in cells) > 1:
            yield f"{name}, row {number}", dict(zip(header, cells, strict=False))
