"""Editing of many entries at once: all of them or none."""

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from plumbline.spec.errors import InputError
from plumbline.vocab.cells import from_text
from plumbline.vocab.history import Past
from plumbline.vocab.kinds import Kind
from plumbline.vocab.listing import metadata_fields
from plumbline.vocab.locking import lock
from plumbline.vocab.models.base import first_repeated
from plumbline.vocab.replacing import fault_of


@transaction.atomic
def move(kind: Kind, pks: Sequence[int], target: Any) -> int:
    """Move entries to the end of another list. Return how many were moved.

    Raises InputError if one of their words is in that list already, or twice among them.
    """
    entries = _locked(kind, pks, {target.pk})
    coming = [entry for entry in entries if entry.word_list_id != target.pk]
    if word := first_repeated([*target.rows(), *coming]):
        raise InputError(f"{word!r} would stand twice in {target.slug!r}; leave it out. Nothing was moved.")
    left = {entry.word_list_id for entry in coming}
    # Without a position an entry is at the end.
    moved = kind.entry_model.objects.filter(pk__in=[entry.pk for entry in coming])
    moved.update(word_list=target, position=None)
    check_together(kind, {target.pk})
    date(kind, {*left, target.pk} if coming else set())
    return len(coming)


@transaction.atomic
def fill(kind: Kind, pks: Sequence[int], column: str, text: str) -> int:
    """Give a column of these entries one value, written as in files. Return how many entries had another value.

    Raises InputError for a column that identifies entries, and for a value that the column does not take.
    """
    if column not in kind.columns[kind.entry_model.KEY :]:
        raise InputError(f"{column!r} cannot be set for many entries at once.")
    field = kind.entry_model._meta.get_field(column)
    try:
        value = field.clean(from_text(field, text.strip()), None)
    except ValidationError as error:
        raise InputError(f"{field.verbose_name}: {fault_of(error)}.") from None
    others = [entry for entry in _locked(kind, pks, set()) if getattr(entry, column) != value]
    kind.entry_model.objects.filter(pk__in=[entry.pk for entry in others]).update(**{column: value})
    check_together(kind, {entry.word_list_id for entry in others})
    date(kind, {entry.word_list_id for entry in others})
    return len(others)


def check_together(kind: Kind, lists: set[int]) -> None:
    """Raise InputError, so that nothing is written, if entries of a list contradict each other."""
    for word_list in kind.list_model.objects.filter(pk__in=lists):
        about = {field: getattr(word_list, field) for field in metadata_fields(kind)}
        try:
            faults = kind.entry_model.conflicts(word_list.rows(), [], about)
        except ValidationError as error:
            raise InputError(f"list {word_list.slug!r}: {fault_of(error)}.") from None
        if fault := next(filter(None, faults), ""):
            raise InputError(f"{fault}. Nothing was changed.")


def _locked(kind: Kind, pks: Sequence[int], lists: set[int]) -> list[Any]:
    """Return the entries in their order, after locking their lists and these lists."""
    entries = kind.entry_model.objects.filter(pk__in=pks)
    of_lists = lists | set(entries.values_list("word_list", flat=True))
    lock(kind, pk__in=of_lists)
    return list(entries.select_for_update().order_by("word_list", "position", "pk"))


def date(kind: Past, lists: set[int]) -> None:
    """Set the modification date of these lists to now."""
    if lists:
        kind.list_model.objects.filter(pk__in=lists).update(modified_at=timezone.now())
