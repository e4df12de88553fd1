"""Undoing one recorded change of a list or an entry, and nothing else."""

from typing import Any

import pghistory
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Exists, Func, OuterRef, TextField

from plumbline.spec.errors import InputError
from plumbline.vocab.editing import date
from plumbline.vocab.history import before, differing, words_of
from plumbline.vocab.kinds import Kind
from plumbline.vocab.locking import lock
from plumbline.vocab.models import WordList
from plumbline.vocab.models.recorded import EVENTS
from plumbline.vocab.replacing import fault_of

TRANSACTION = Func(template="xmin::text", output_field=TextField())
"""Which transaction recorded an event: Postgres keeps it with each row, and events are never written again."""


def find(kind: Kind, number: int, *, of_list: bool) -> Any:
    """The recorded event. Raises InputError where there is none."""
    found = EVENTS[_model(kind, of_list)].objects.filter(pk=number).first()
    if found is None:
        raise InputError("there is no such change; open the history again.")
    return found


def undo(kind: Kind, event: Any, *, of_list: bool) -> str:
    """Take one change back; says what was done. The undoing is a change itself, recorded with its own author.

    Raises InputError, and changes nothing, where the row has changed since or the word now stands elsewhere.
    """
    steps = {"update": _put_back, "insert": _take_out, "delete": _bring_back}
    if event.pgh_label not in steps:
        raise InputError("the history begins here: nothing is known of what stood before.")
    try:
        with pghistory.context(undoes=event.pk), transaction.atomic():
            # Of all lists: where the word stands now is known once nobody else can move it.
            lock(kind)
            left = set() if of_list else _list_of(kind, event)
            row = steps[event.pgh_label](kind, _model(kind, of_list), event)
            date(kind, left if of_list else left | {row.word_list_id})
    except IntegrityError:
        raise InputError("somebody wrote the same word or list in this very moment; open the history again.") from None
    return str(row)


def _model(kind: Kind, of_list: bool) -> Any:
    return kind.list_model if of_list else kind.entry_model


def _list_of(kind: Kind, event: Any) -> set[int]:
    """The list in which the entry stands now, if it stands anywhere."""
    return set(kind.entry_model.objects.filter(pk=event.pgh_obj_id).values_list("word_list", flat=True))


def _put_back(_: Kind, model: Any, event: Any) -> Any:
    earlier, row = before(event), model.objects.select_for_update().filter(pk=event.pgh_obj_id).first()
    if row is None:
        raise InputError("it was removed since; undo the removal first.")
    if earlier is None:
        raise InputError("nothing is known of what stood before.")
    fields = differing(model, earlier, event)
    _unchanged_since(row, event, fields)
    for field in fields:
        setattr(row, field.attname, getattr(earlier, field.attname))
    _check(row)
    row.save(update_fields=[field.name for field in fields])
    return row


def _take_out(_: Kind, model: Any, event: Any) -> Any:
    row = model.objects.select_for_update().filter(pk=event.pgh_obj_id).first()
    if row is None:
        raise InputError("it was removed since; there is nothing to undo.")
    _unchanged_since(row, event, [field for field in words_of(model) if field.name != "position"])
    if isinstance(row, WordList) and row.rows():
        raise InputError(f"the list {row.slug!r} has entries by now; to remove them all, delete it on its page.")
    pk = row.pk
    row.delete()
    row.pk = pk
    return row


def _bring_back(kind: Kind, model: Any, event: Any) -> Any:
    if model.objects.filter(pk=event.pgh_obj_id).exists():
        raise InputError("it is back already.")
    row = _as_it_was(model, event)
    if model is kind.entry_model and not kind.list_model.objects.filter(pk=row.word_list_id).exists():
        raise InputError("its list was removed; undo that removal, which brings its entries back.")
    _check(row)
    row.save_base(raw=True, force_insert=True)
    if model is kind.list_model:
        went_with_it = _went_with(kind, event)
        kind.entry_model.objects.bulk_create(_as_it_was(kind.entry_model, entry) for entry in went_with_it)
    return row


def _went_with(kind: Kind, event: Any) -> list[Any]:
    """The removals of the entries that a list had when it was removed: those in the same transaction.

    A restored dump has forgotten transactions: then by the context, one for each page and command. Raises InputError
    where neither tells.
    """
    events = EVENTS[kind.entry_model].objects
    later = events.filter(pgh_obj=OuterRef("pgh_obj"), pgh_id__gt=OuterRef("pgh_id"))
    removed = events.filter(~Exists(later), pgh_label="delete", word_list=event.pgh_obj_id)
    in_context = removed.filter(pgh_context=event.pgh_context_id)
    candidates = list(in_context.annotate(transaction=TRANSACTION).order_by("pgh_id"))
    transaction_of_list = type(event).objects.annotate(transaction=TRANSACTION).get(pk=event.pk).transaction
    at_once = [each for each in candidates if each.transaction == transaction_of_list]
    if candidates and not at_once and not event.pgh_context_id:
        raise InputError("nothing tells which entries went with the list; make it anew and import them.")
    return at_once or candidates


def _as_it_was(model: Any, event: Any) -> Any:
    fields = [field.attname for field in model._meta.local_fields if not field.primary_key]
    return model(pk=event.pgh_obj_id, **{name: getattr(event, name) for name in fields})


def _unchanged_since(row: Any, event: Any, fields: list[Any]) -> None:
    if any(getattr(row, field.attname) != getattr(event, field.attname) for field in fields):
        raise InputError(f"{str(row)!r} has changed since; undo the later change first.")


def _check(row: Any) -> None:
    try:
        row.full_clean()
    except ValidationError as error:
        raise InputError(f"{str(row)!r} cannot be put back: {fault_of(error)}.") from None
