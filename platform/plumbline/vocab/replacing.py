"""Replacing the entries of a list by others, touching only the rows that differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction

from plumbline.spec.errors import InputError
from plumbline.vocab.kinds import Kind


@dataclass(frozen=True, slots=True)
class Change:
    """What became of a list."""

    slug: str
    created: bool
    total: int
    added: int
    changed: int
    removed: int

    def __str__(self) -> str:
        if self.created:
            return f"{self.slug}: new, {self.total} entries"
        return f"{self.slug}: {self.total} entries ({self.added} added, {self.changed} changed, {self.removed} removed)"


@transaction.atomic
def replace(kind: Kind, slug: str, metadata: Mapping[str, Any], entries: Sequence[Any]) -> Change:
    """Make these cleaned entries, in this order, the whole content of the list, which is made if there is none.

    `metadata` holds the fields of the list itself that shall change. Raises InputError for metadata at fault.
    """
    word_list = kind.list_model.objects.select_for_update().filter(slug=slug).first()
    created = word_list is None
    word_list = word_list or kind.list_model(slug=slug, title=slug)
    for field, value in metadata.items():
        setattr(word_list, field, value)
    try:
        word_list.full_clean()
    except ValidationError as error:
        raise InputError(f"list {slug!r}: {fault_of(error)}.") from None
    word_list.save()
    added, changed, removed = _write(kind, word_list, entries)
    return Change(slug, created, len(entries), added, changed, removed)


def _write(kind: Kind, word_list: Any, entries: Sequence[Any]) -> tuple[int, int, int]:
    old = {row.key(): row for row in word_list.rows()}
    new = {entry.key(): (position, entry) for position, entry in enumerate(entries, start=1)}
    gone = [row.pk for key, row in old.items() if key not in new]
    fresh, moved, changed = [], [], 0
    for key, (position, entry) in new.items():
        if (row := old.get(key)) is None:
            entry.word_list, entry.position = word_list, position
            fresh.append(entry)
        elif row.values() != entry.values() or row.position != position:
            changed += row.values() != entry.values()
            row.position = position
            for column, value in entry.values().items():
                setattr(row, column, value)
            moved.append(row)
    # Old rows go first, so that a word may move from one trait pair to another.
    kind.entry_model.objects.filter(pk__in=gone).delete()
    kind.entry_model.objects.bulk_update(moved, ["position", *kind.columns], batch_size=200)
    kind.entry_model.objects.bulk_create(fresh)
    return len(fresh), changed, len(gone)


def fault_of(error: ValidationError) -> str:
    """The first fault of a validation, on one line, with the field before it."""
    if not hasattr(error, "error_dict"):
        return str(error.messages[0]).rstrip(".")
    field, messages = next(iter(error.message_dict.items()))
    return f"{'' if field == '__all__' else field + ' '}{messages[0]}".rstrip(".")
