"""Import of curated lists from files: all of a file or nothing."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as copy_with
from pathlib import Path
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db import transaction

from plumbline.spec.errors import InputError
from plumbline.vocab.cells import from_text
from plumbline.vocab.csv_file import read_bytes, read_text
from plumbline.vocab.duplicates import IN_LIST, Read, Skipped, without_duplicates
from plumbline.vocab.faults import Fault, FaultyFileError, named
from plumbline.vocab.import_notices import import_notices
from plumbline.vocab.import_records import write_import
from plumbline.vocab.kinds import Kind
from plumbline.vocab.listing import metadata_fields
from plumbline.vocab.locking import lock
from plumbline.vocab.ratings_file import read_means
from plumbline.vocab.reading import read
from plumbline.vocab.replacing import Change, Difference, compare, fault_of
from plumbline.vocab.sheet import Row, Sheet


@dataclass(frozen=True, slots=True)
class Imported:
    """The result of an import, and notices for its reader."""

    changes: list[Change]
    notices: list[str]
    skipped: list[Skipped]


@dataclass(frozen=True, slots=True)
class Aim:
    """The lists that the rows of a file go into: the list `slug`, or those that its column `list` names.

    `metadata` (title, source, ...) outranks the file's own. With `update`, entries and columns that the file lacks
    stay; otherwise the file's rows become the whole list. With `skip_duplicates`, a row is left out if a word of it is
    in an earlier row, or in what stays of the list.
    """

    slug: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    update: bool = False
    skip_duplicates: bool = False


def import_file(
    kind: Kind,
    path: Path,
    slug: str = "",
    metadata: Mapping[str, str] | None = None,
    update: bool = False,
    demographics: Path | None = None,
    skip_duplicates: bool = False,
    means: Path | None = None,
) -> Imported:
    """Bring the file's rows into the lists that `Aim` names.

    `demographics` and published `means` belong to ratings (see ratings_file); doubtful ratings give notices. Raises
    InputError, naming file, line and fault, for anything wrong (FaultyFileError holds all faulty lines); then
    nothing has changed.
    """
    about_raters = read_text(demographics)[0] if demographics else ""
    sheet = read(kind, path.name, read_bytes(path), about_raters)
    published = read_means(read_text(means)[0]) if means else []
    with named(path.name), transaction.atomic():
        aim = Aim(slug, metadata or {}, update, skip_duplicates)
        lock(kind, slug__in=slugs_of(sheet, aim))
        differences = compare_sheet(kind, sheet, aim)
        notices = import_notices(differences, published)
        skipped = [row for difference in differences for row in difference.skipped]
        changes, _ = write_import(kind, path.name, differences, [*sheet.notices, *notices])
        return Imported(changes, [*sheet.notices, *notices], skipped)


def slugs_of(sheet: Sheet, aim: Aim) -> list[str]:
    """Return the slugs of the lists that the rows go into."""
    return [aim.slug] if aim.slug else list(dict.fromkeys(row.cells.get("list", "") for row in sheet.rows))


def compare_sheet(kind: Kind, sheet: Sheet, aim: Aim) -> list[Difference]:
    """Return what an import of these rows would change, list by list.

    Raises FaultyFileError with all faults of the rows, and InputError if it is not clear which list is meant.
    """
    faults, differences = list(sheet.faults), []
    for slug, rows in _by_list(sheet, aim).items():
        try:
            differences.append(_compare_list(kind, slug, rows, aim))
        except FaultyFileError as error:
            faults += error.faults
        except InputError as error:
            faults.append(Fault(0, str(error)))
    if faults:
        raise FaultyFileError(faults)
    return differences


def _by_list(sheet: Sheet, aim: Aim) -> dict[str, list[Row]]:
    lists: dict[str, list[Row]] = {}
    for row in sheet.rows:
        lists.setdefault(row.cells.get("list", ""), []).append(row)
    if aim.slug:
        if len(lists) > 1:
            raise InputError(f"the file holds {len(lists)} lists, which cannot all be {aim.slug!r}; name none.")
        return {aim.slug: sheet.rows}
    if nameless := lists.get(""):
        fault = "no list is named; choose one (--list SLUG) or fill the column 'list'"
        without = [row.fault(fault) for row in nameless] if len(lists) > 1 else [Fault(0, fault)]
        raise FaultyFileError([*sheet.faults, *without])
    if aim.metadata and len(lists) > 1:
        raise InputError(f"the file holds {len(lists)} lists; a title or source goes with one, so split it.")
    return lists


def _compare_list(kind: Kind, slug: str, rows: Sequence[Row], aim: Aim) -> Difference:
    present = kind.list_model.objects.filter(slug=slug).first()
    metadata, faults = _metadata(kind, rows)
    about = {field: getattr(present, field) for field in metadata_fields(kind)} if present else {}
    try:
        kept = present.rows() if present and aim.update else ()
        found = _read_entries(kind, rows, kept, {**about, **metadata, **aim.metadata}, aim.skip_duplicates)
    except FaultyFileError as error:
        faults += error.faults
    if faults:
        raise FaultyFileError(faults)
    return copy_with(compare(kind, slug, {**metadata, **aim.metadata}, found.entries), skipped=found.skipped)


class _Entries(NamedTuple):
    """The entries of one list after an import, and the rows that were left out."""

    entries: list[Any]
    skipped: tuple[Skipped, ...]


def entries_of(
    kind: Kind, rows: Iterable[Row], present: Sequence[Any] = (), about: Mapping[str, Any] | None = None
) -> list[Any]:
    """Return the rows as cleaned, unsaved entries of one list, checked against those that stay.

    `about` holds the list's own fields. Raises FaultyFileError with the faulty lines.
    """
    return _read_entries(kind, rows, present, about or {}, skip_duplicates=False).entries


def _read_entries(
    kind: Kind, rows: Iterable[Row], present: Sequence[Any], about: Mapping[str, Any], skip_duplicates: bool
) -> _Entries:
    known = {entry.key(): entry for entry in present}
    read: list[Read] = []
    skipped: list[Skipped] = []
    faults: list[Fault] = []
    for row in rows:
        try:
            read.append((row, _entry(kind, row, known)))
        except InputError as error:
            faults.append(row.fault(str(error)))
    if skip_duplicates:
        read, skipped = without_duplicates(read, present)
    new = {entry.key(): entry for _, entry in read}
    kept = [entry for key, entry in known.items() if key not in new]
    if faults := [*faults, *_repeated(read, kept), *_conflicts(kind, read, kept, about)]:
        raise FaultyFileError(faults)
    return _Entries([*(new.pop(key, entry) for key, entry in known.items()), *new.values()], tuple(skipped))


def _entry(kind: Kind, row: Row, known: Mapping[tuple[str, ...], Any]) -> Any:
    values = {
        column: from_text(kind.entry_model._meta.get_field(column), row.cells.get(column, ""))
        for column in kind.columns
    }
    entry = kind.entry_model(**values)
    try:
        entry.clean_fields(exclude={"word_list", "position"})
    except ValidationError as error:
        raise InputError(fault_of(error)) from None
    if old := known.get(entry.key()):
        for column in set(kind.columns) - set(row.cells):
            setattr(entry, column, getattr(old, column))
    return entry


def _repeated(read: Iterable[Read], kept: Iterable[Any]) -> list[Fault]:
    """Yield a fault for each row with a word that is in an earlier row, or in the list."""
    places = {word: IN_LIST for entry in kept for word in entry.words()}
    faults = []
    for row, entry in read:
        own: set[str] = set()
        for word in entry.words():
            if word in own or word in places:
                where = "twice on it" if word in own else places[word]
                faults.append(row.fault(f"{word!r} appears {where}; keep one"))
                break
            own.add(word)
        for word in own:
            places.setdefault(word, f"on {row.unit} {row.line} already")
    return faults


def _conflicts(kind: Kind, read: Sequence[Read], kept: Sequence[Any], about: Mapping[str, Any]) -> list[Fault]:
    """Yield a fault for each row that contradicts the others, or the list's own fields."""
    try:
        found = kind.entry_model.conflicts([entry for _, entry in read], kept, about)
    except ValidationError as error:
        return [Fault(0, fault_of(error))]
    return [row.fault(fault) for (row, _), fault in zip(read, found, strict=True) if fault]


def _metadata(kind: Kind, rows: Iterable[Row]) -> tuple[dict[str, Any], list[Fault]]:
    """Return the list's own fields.

    Any one row may carry them, so that sorting a file in a spreadsheet loses nothing.
    """
    found: dict[str, str] = {}
    values: dict[str, Any] = {}
    faults: list[Fault] = []
    for row in rows:
        for name in metadata_fields(kind):
            value = row.cells.get(f"list_{name}", "")
            if not value or found.setdefault(name, value) == value:
                continue
            faults.append(row.fault(f"list_{name} differs from that of a line above; keep one"))
    for name, value in found.items():
        try:
            values[name] = from_text(kind.list_model._meta.get_field(name), value)
        except InputError as error:
            faults.append(Fault(0, f"list_{error}"))
    return values, faults
