"""Replacement of a list's entries by others, which touches only the rows that differ."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from plumbline.spec.errors import InputError
from plumbline.spec.numbers import counted
from plumbline.vocab.duplicates import Skipped
from plumbline.vocab.kinds import Kind
from plumbline.vocab.locking import lock

BATCH = 2000


@dataclass(frozen=True, slots=True)
class Change:
    """The change that was made to a list."""

    slug: str
    created: bool
    total: int
    added: int
    changed: int
    removed: int

    def __str__(self) -> str:
        total = counted(self.total, "entry")
        if self.created:
            return f"{self.slug}: new, {total}"
        return f"{self.slug}: {total} ({self.added} added, {self.changed} changed, {self.removed} removed)"


@dataclass(frozen=True, slots=True)
class Difference:
    """The difference between a list and its new entries.

    Entries are unsaved, rows are stored; nothing is written yet.
    """

    kind: Kind
    word_list: Any
    about: dict[str, tuple[Any, Any]]
    """The fields of the list itself that differ: old and new value."""
    total: int
    added: list[tuple[int, Any]]
    """Position and entry."""
    changed: list[tuple[Any, Any]]
    """Row and entry."""
    moved: list[tuple[Any, int]]
    """Row and position, of all rows whose position differs."""
    removed: list[Any]
    skipped: tuple[Skipped, ...] = ()
    """The rows of the file that are left out, because their words are there already."""

    @property
    def created(self) -> bool:
        return self.word_list.pk is None

    @property
    def unchanged(self) -> int:
        return self.total - len(self.added) - len(self.changed)

    @property
    def is_nothing(self) -> bool:
        """Return whether the list stays as it is."""
        return not (self.created or self.about or self.added or self.changed or self.moved or self.removed)

    def change(self) -> Change:
        counts = len(self.added), len(self.changed), len(self.removed)
        return Change(self.word_list.slug, self.created, self.total, *counts)


@transaction.atomic
def replace(kind: Kind, slug: str, metadata: Mapping[str, Any], entries: Sequence[Any]) -> Change:
    """Make these cleaned entries, in this order, the whole content of the list. A missing list is created.

    `metadata` holds the fields of the list itself that shall change. Raises InputError for faulty metadata.
    """
    lock(kind, slug=slug)
    return write(compare(kind, slug, metadata, entries))


def compare(kind: Kind, slug: str, metadata: Mapping[str, Any], entries: Sequence[Any]) -> Difference:
    """Return what `replace` would change. Raises InputError for faulty metadata."""
    word_list = kind.list_model.objects.filter(slug=slug).first() or kind.list_model(slug=slug, title=slug)
    before = {field: getattr(word_list, field) for field in metadata}
    for field, value in metadata.items():
        setattr(word_list, field, value)
    try:
        word_list.full_clean()
    except ValidationError as error:
        raise InputError(f"list {slug!r}: {fault_of(error)}.") from None
    about = {field: (then, getattr(word_list, field)) for field, then in before.items()}
    old = {row.key(): row for row in word_list.rows()} if word_list.pk else {}
    new = {entry.key(): (position, entry) for position, entry in enumerate(entries, start=1)}
    kept = [(old[key], position, entry) for key, (position, entry) in new.items() if key in old]
    return Difference(
        kind,
        word_list,
        {field: pair for field, pair in about.items() if pair[0] != pair[1]},
        total=len(new),
        added=[place for key, place in new.items() if key not in old],
        changed=[(row, entry) for row, _, entry in kept if row.values() != entry.values()],
        moved=[(row, position) for row, position, _ in kept if row.position != position],
        removed=[row for key, row in old.items() if key not in new],
    )


def write(difference: Difference) -> Change:
    """Write the difference, in the transaction that read it. Return the change."""
    model, columns, word_list = difference.kind.entry_model, difference.kind.columns, difference.word_list
    change = difference.change()
    word_list.save()
    for position, entry in difference.added:
        entry.word_list, entry.position = word_list, position
    for row, entry in difference.changed:
        for column, value in entry.values().items():
            setattr(row, column, value)
    for row, position in difference.moved:
        row.position = position
    # Old rows go first, so that a word may move from one trait pair to another.
    model.objects.filter(pk__in=[row.pk for row in difference.removed]).delete()
    changed = {row.pk: row for row, _ in difference.changed}
    _update(model, changed.values(), ["position", *columns])
    _update(model, [row for row, _ in difference.moved if row.pk not in changed], ["position"])
    model.objects.bulk_create([entry for _, entry in difference.added], batch_size=BATCH)
    return change


def _update(model: Any, rows: Iterable[Any], fields: list[str]) -> None:
    """Write these fields and no others, which somebody may have edited meanwhile.

    An upsert on the primary key: bulk_update takes ten times as long. Fields that are unique in a list stay as they
    are.
    """
    model.objects.bulk_create(rows, batch_size=BATCH, update_conflicts=True, unique_fields=["id"], update_fields=fields)


def fault_of(error: ValidationError) -> str:
    """Return the first fault of a validation, on one line, with the field before it."""
    if not hasattr(error, "error_dict"):
        return str(error.messages[0]).rstrip(".")
    field, messages = next(iter(error.message_dict.items()))
    return f"{'' if field == '__all__' else field + ' '}{messages[0]}".rstrip(".")
