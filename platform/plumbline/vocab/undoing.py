"""Undo of one recorded change of a row, and of nothing else."""

from typing import Any, NamedTuple

import pghistory
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Exists, Func, OuterRef, TextField

from plumbline.spec.errors import InputError
from plumbline.vocab.editing import date
from plumbline.vocab.history import Past, before, differing, words_of
from plumbline.vocab.locking import lock
from plumbline.vocab.models.recorded import EVENTS
from plumbline.vocab.replacing import fault_of

TRANSACTION = Func(template="xmin::text", output_field=TextField())
"""The transaction that recorded an event. Postgres stores it with each row, and events are never written again."""


class Done(NamedTuple):
    """The row whose change was undone, and notes on what did not come back with it."""

    row: Any
    remarks: tuple[str, ...] = ()


def find(kind: Past, number: int, *, of_list: bool) -> Any:
    """Return the recorded event. Raises InputError if there is none."""
    found = EVENTS[_model(kind, of_list)].objects.filter(pk=number).first()
    if found is None:
        raise InputError("there is no such change; open the history again.")
    return found


def undo(kind: Past, event: Any, *, of_list: bool) -> Done:
    """Undo one change. The undo is a change itself, recorded with its own author.

    Raises InputError, and changes nothing, if the row has changed since or the word is elsewhere by now.
    """
    steps = {"update": _put_back, "insert": _take_out, "delete": _bring_back}
    if event.pgh_label not in steps:
        raise InputError("the history begins here: nothing is known of what stood before.")
    try:
        with pghistory.context(undoes=event.pk), transaction.atomic():
            # All lists are locked: the word's place is certain only when nobody else can move it.
            lock(kind)
            left = set() if of_list else _list_of(kind, event)
            done = steps[event.pgh_label](kind, _model(kind, of_list), event)
            date(kind, left if of_list else left | {getattr(done.row, f"{kind.parent}_id")})
    except IntegrityError:
        raise InputError(
            "in this very moment somebody wrote the same, or removed what it belongs to; open the history again."
        ) from None
    return done


def _model(kind: Past, of_list: bool) -> Any:
    return kind.list_model if of_list else kind.entry_model


def _list_of(kind: Past, event: Any) -> set[int]:
    """Return the list that the entry is in now, if any."""
    return set(_model(kind, of_list=False).objects.filter(pk=event.pgh_obj_id).values_list(kind.parent, flat=True))


def _put_back(_: Past, model: Any, event: Any) -> Done:
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
    dated = {"modified_at"} & {field.name for field in model._meta.fields}
    row.save(update_fields=dated | {field.name for field in fields})
    return Done(row)


def _take_out(_: Past, model: Any, event: Any) -> Done:
    row = model.objects.select_for_update().filter(pk=event.pgh_obj_id).first()
    if row is None:
        raise InputError("it was removed since; there is nothing to undo.")
    _unchanged_since(row, event, [field for field in words_of(model) if field.name != "position"])
    for relation in model._meta.related_objects:
        held = relation.get_accessor_name()
        if getattr(row, held).exists():
            raise InputError(
                f"{str(row)!r} has {held} by now; to remove it all the same, delete it on its page, which says what"
                " happens to them."
            )
    pk = row.pk
    row.delete()
    row.pk = pk
    return Done(row)


def _bring_back(kind: Past, model: Any, event: Any) -> Done:
    if model.objects.filter(pk=event.pgh_obj_id).exists():
        raise InputError("it is back already.")
    row = as_it_was(model, event)
    _has_its_own(row)
    _check(row)
    row.save_base(raw=True, force_insert=True)
    lost = _bring_entries_back(kind, event) if model is kind.list_model and kind.entry_model is not None else []
    remarks = [f"Left out: {', '.join(lost)}, removed meanwhile."] if lost else []
    return Done(row, (*remarks, *(row.came_back(len(lost)) if hasattr(row, "came_back") else ())))


def _bring_entries_back(kind: Past, event: Any) -> list[str]:
    """Restore the entries that were removed with their list. Return those whose references no longer exist."""
    model: Any = kind.entry_model
    rows = [as_it_was(model, entry) for entry in _went_with(model, kind.parent, event)]
    gone = {field: _missing_targets(field, rows) for field in model._meta.fields if field.is_relation}
    whole = [row for row in rows if not any(getattr(row, field.attname) in pks for field, pks in gone.items())]
    model.objects.bulk_create(whole)
    return [f"{field.related_model._meta.verbose_name} {pk}" for field, pks in gone.items() for pk in sorted(pks)]


def _missing_targets(field: Any, rows: list[Any]) -> set[Any]:
    """Return the rows that the field of these entries refers to and that no longer exist."""
    wanted = {getattr(row, field.attname) for row in rows} - {None}
    return wanted - set(field.related_model._default_manager.filter(pk__in=wanted).values_list("pk", flat=True))


def _went_with(entry_model: Any, parent: str, event: Any) -> list[Any]:
    """Return the removals of the entries that a list had when it was removed: those in the same transaction.

    A restored dump has lost the transactions. Then the context decides, one for each page and command. Raises
    InputError if neither decides.
    """
    events = EVENTS[entry_model].objects
    later = events.filter(pgh_obj=OuterRef("pgh_obj"), pgh_id__gt=OuterRef("pgh_id"))
    removed = events.filter(~Exists(later), pgh_label="delete", **{parent: event.pgh_obj_id})
    in_context = removed.filter(pgh_context=event.pgh_context_id)
    candidates = list(in_context.annotate(transaction=TRANSACTION).order_by("pgh_id"))
    transaction_of_list = type(event).objects.annotate(transaction=TRANSACTION).get(pk=event.pk).transaction
    at_once = [each for each in candidates if each.transaction == transaction_of_list]
    if candidates and not at_once and not event.pgh_context_id:
        raise InputError("no record says which entries the list had; make the list again and import them.")
    return at_once or candidates


def as_it_was(model: Any, event: Any) -> Any:
    """Return the unsaved row that an event recorded."""
    fields = [field.attname for field in model._meta.fields if not field.primary_key]
    row = model(pk=event.pgh_obj_id, **{name: getattr(event, name) for name in fields})
    if hasattr(row, "come_back"):
        row.come_back()
    return row


def last_state(model: Any, pk: Any) -> Any | None:
    """Return the row as it was recorded last, unsaved; None if nothing is recorded of such a row."""
    event = EVENTS[model].objects.filter(pgh_obj=pk).order_by("-pk").first() if model in EVENTS else None
    return as_it_was(model, event) if event else None


def _has_its_own(row: Any) -> None:
    """Raise InputError if a row is gone that this one belongs to."""
    for field in row._meta.fields:
        if field.is_relation and _missing_targets(field, [row]):
            whole = field.related_model._meta.verbose_name
            if field.related_model in EVENTS:
                raise InputError(f"its {whole} was removed; bring that back first, with what went with it.")
            raise InputError(
                f"its {whole} was removed, and no history of it is kept; add it again and choose it where it was named."
            )


def _unchanged_since(row: Any, event: Any, fields: list[Any]) -> None:
    if any(getattr(row, field.attname) != getattr(event, field.attname) for field in fields):
        raise InputError(f"{str(row)!r} has changed since; undo the later change first.")


def _check(row: Any) -> None:
    try:
        row.full_clean()
    except ValidationError as error:
        raise InputError(f"{str(row)!r} cannot be put back: {fault_of(error)}.") from None
