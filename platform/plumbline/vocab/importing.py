"""Importing curated lists from CSV files: all of a file or nothing."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from plumbline.spec.errors import InputError
from plumbline.vocab.cells import from_text
from plumbline.vocab.csv_file import Row, parse, read_text
from plumbline.vocab.kinds import Kind
from plumbline.vocab.models.base import METADATA
from plumbline.vocab.replacing import Change, fault_of, replace


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did, and what its reader should know."""

    changes: list[Change]
    notices: list[str]


def list_columns(kind: Kind) -> tuple[str, ...]:
    """The columns that say to which list a row belongs and what that list is: `list`, then `list_title` and so on."""
    return ("list", *(f"list_{field}" for field in metadata_fields(kind)))


def metadata_fields(kind: Kind) -> tuple[str, ...]:
    """The fields of a list itself."""
    return (*METADATA, "sensitive") if hasattr(kind.list_model, "sensitive") else METADATA


def import_file(kind: Kind, path: Path, slug: str = "", metadata: Mapping[str, str] | None = None) -> Imported:
    """Make the file's rows the content of the lists that its column `list` names, or of the list `slug`.

    `metadata` (title, source, ...) outranks the file's own. Raises InputError, naming file, line and fault, for
    anything wrong; then nothing has changed.
    """
    text, notices = read_text(path)
    try:
        rows = parse(text, kind.columns[0], (*list_columns(kind), *kind.columns))
        with transaction.atomic():
            lists = _by_list(rows, slug)
            if metadata and len(lists) > 1:
                raise InputError(f"the file holds {len(lists)} lists; a title or source goes with one, so split it.")
            changes = [_import_list(kind, name, part, metadata or {}) for name, part in lists.items()]
    except InputError as error:
        raise InputError(f"{path.name}: {error}") from None
    return Imported(changes, notices)


def entries_of(kind: Kind, rows: Sequence[Row]) -> list[Any]:
    """The rows as cleaned, unsaved entries of one list. Raises InputError with the number of the faulty line."""
    entries, lines = [], dict[str, int]()
    for row in rows:
        entry = _entry(kind, row)
        for word in entry.words():
            if word in lines:
                where = "twice on it" if lines[word] == row.line else f"on line {lines[word]} already"
                raise InputError(f"line {row.line}: {word!r} stands {where}; keep it once.")
            lines[word] = row.line
        entries.append(entry)
    return entries


def _by_list(rows: Sequence[Row], slug: str) -> dict[str, list[Row]]:
    lists: dict[str, list[Row]] = {}
    for row in rows:
        lists.setdefault(row.cells.get("list", ""), []).append(row)
    if slug:
        if len(lists) > 1:
            raise InputError(f"the file holds {len(lists)} lists, which cannot all be {slug!r}; leave --list out.")
        return {slug: list(rows)}
    if nameless := lists.get(""):
        raise InputError(f"line {nameless[0].line}: no list is named; give --list SLUG or fill the column 'list'.")
    return lists


def _import_list(kind: Kind, slug: str, rows: Sequence[Row], metadata: Mapping[str, str]) -> Change:
    return replace(kind, slug, {**_metadata(kind, rows), **metadata}, entries_of(kind, rows))


def _metadata(kind: Kind, rows: Sequence[Row]) -> dict[str, Any]:
    """The list's own fields. Any one row may carry them, so that sorting a file in a spreadsheet loses nothing."""
    found: dict[str, str] = {}
    for row in rows:
        for field in metadata_fields(kind):
            value = row.cells.get(f"list_{field}", "")
            if value and found.setdefault(field, value) != value:
                raise InputError(f"line {row.line}: list_{field} differs from that of a line above; keep one.")
    return {field: from_text(kind.list_model._meta.get_field(field), value) for field, value in found.items()}


def _entry(kind: Kind, row: Row) -> Any:
    try:
        values = {
            column: from_text(kind.entry_model._meta.get_field(column), row.cells.get(column, ""))
            for column in kind.columns
        }
        entry = kind.entry_model(**values)
        entry.clean_fields(exclude={"word_list", "position"})
    except ValidationError as error:
        raise InputError(f"line {row.line}: {fault_of(error)}.") from None
    except InputError as error:
        raise InputError(f"line {row.line}: {error}.") from None
    return entry
