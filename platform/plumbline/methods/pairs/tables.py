"""Tables of sentences as CSV, plain or gzip: rows with their places, and items that are checked line by line."""

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from plumbline.methods.pairs.content import item_of
from plumbline.spec.errors import InputError
from plumbline.spec.faults import in_one_line
from plumbline.vocab.banks.text_file import text_of

DELIMITERS = ",;\t"
Row = tuple[str, Mapping[str, str]]
"""The place of a row (file and line), and its stripped cells by column."""


def rows_of(path: Path) -> tuple[list[str], list[Row]]:
    """Return the columns of a table and its rows. Raises InputError for broken quotes and rows of another length."""
    text = text_of(path)
    first = text[: text.find("\n")] if "\n" in text else text
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=_delimiter(first), strict=True)
    try:
        columns = [name.strip() for name in reader.fieldnames or ()]
        reader.fieldnames = columns
        return columns, list(_rows(path.name, reader))
    except csv.Error as error:
        raise InputError(f"{path.name}, line {reader.line_num}: {error}; check the quotes.") from None


def _delimiter(header: str) -> str:
    return max(DELIMITERS, key=header.count)


def _rows(name: str, reader: Any) -> Iterator[Row]:
    for row in reader:
        place = f"{name}, line {reader.line_num}"
        if row.get(None) or None in row.values():
            raise InputError(f"{place}: it has more or fewer cells than the header.")
        if any(row.values()):
            yield place, {column: cell.strip() for column, cell in row.items()}


def items_of(rows: Sequence[Row], made: Callable[[int, Mapping[str, str]], Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the items that `made` gives for each row's number and cells. Raises InputError for the first fault."""
    seen: dict[str, str] = {}
    found = []
    for number, (place, cells) in enumerate(rows):
        item = checked(place, made(number, cells))
        if (first := seen.setdefault(item["id"], place)) != place:
            raise InputError(f"{place}: the id {item['id']!r} is already at {first}; keep one.")
        found.append(item)
    return found


def checked(place: str, item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the item in a bank's format. Raises InputError that names its place."""
    try:
        return item_of(item).model_dump(mode="json")
    except ValidationError as error:
        raise InputError(f"{place}: {in_one_line(error)}") from None
