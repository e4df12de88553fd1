"""BBQ's CSV tables with verbatim cells: a space at the end of an answer is part of the published text.

They are read as people save them: UTF-8 with or without BOM, or Excel's cp1252; commas, semicolons (German Excel) or
tabs.
"""

import csv
import io
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from pathlib import Path

from plumbline.methods.bbq.bank.collected_faults import Hold
from plumbline.spec.errors import InputError
from plumbline.vocab import csv_file
from plumbline.vocab.bundles import Sent
from plumbline.vocab.sheet import wrong_width

TRUTHS = ("true", "wahr", "vrai", "yes", "1")
"""The words for true: Excel writes TRUE in the language of its user."""


File = Path | Sent


def rows(
    path: File, required: Sequence[str], hold: Hold = nullcontext
) -> tuple[list[tuple[str, dict[str, str]]], list[str]]:
    """Return the rows with their places (file and line), and notices. Raises InputError for a faulty header or line.

    `hold` may collect the faults of lines.
    """
    text, notices = csv_file.decode(path.name, path.data) if isinstance(path, Sent) else csv_file.read_text(path)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text, required), strict=True)
    try:
        header = [cell.strip() for cell in next(reader, [])]
        _check(header, required, path)
        return list(_under(header, reader, path, hold)), notices
    except csv.Error as error:
        raise InputError(f"{path.name}, line {reader.line_num}: {error}; check the quotes.") from None


def is_true(cell: str) -> bool:
    return cell.strip().lower() in TRUTHS


def _check(header: Sequence[str], required: Sequence[str], path: File) -> None:
    if missing := [name for name in required if name not in header]:
        raise InputError(f"{path.name}, line 1: there is no column {missing[0]!r}; needed are {', '.join(required)}.")
    filled = [name for name in header if name]
    if double := next((name for name in filled if filled.count(name) > 1), ""):
        raise InputError(f"{path.name}, line 1: the column {double!r} appears twice.")


def _under(
    header: Sequence[str], reader: Iterator[list[str]], path: File, hold: Hold
) -> Iterator[tuple[str, dict[str, str]]]:
    start = 2
    for cells in reader:
        place = f"{path.name}, line {start}"
        start = reader.line_num + 1  # type: ignore[attr-defined]
        if not any(cell.strip() for cell in cells):
            continue
        with hold():
            if len(cells) != len(header):
                raise InputError(f"{place}: {wrong_width(len(cells), len(header))}.")
            yield place, dict(zip(header, cells, strict=True))


def _delimiter(text: str, required: Sequence[str]) -> str:
    """Return the delimiter under which the first line has most of the required columns."""
    first = text[: csv_file.LONGEST_HEADER].splitlines()[:1]

    def found(delimiter: str) -> int:
        header = next(csv.reader(first, delimiter=delimiter), [])
        return len({cell.strip() for cell in header} & set(required))

    return max(csv_file.DELIMITERS, key=found)
