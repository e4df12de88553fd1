"""Undo of a whole import as one act. The undo is recorded like an import, so it can be undone, too."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pghistory
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import OuterRef, Subquery

from plumbline.spec.errors import InputError
from plumbline.vocab.editing import check_together, date
from plumbline.vocab.history import differing, words_of
from plumbline.vocab.kinds import Kind
from plumbline.vocab.locking import lock
from plumbline.vocab.models import Import
from plumbline.vocab.models.base import first_repeated
from plumbline.vocab.models.recorded import EVENTS, called_by
from plumbline.vocab.replacing import BATCH, fault_of
from plumbline.vocab.undoing import as_it_was

MOST_NAMED = 5
UNKNOWN = "the history does not say what stood before. Nothing was undone."


@dataclass(frozen=True, slots=True)
class Net:
    """One row before and after an import, as recorded; None where it did not exist. `now` is the present row."""

    pk: int
    before: Any | None
    after: Any | None
    now: Any | None

    @property
    def name(self) -> str:
        recorded: Any = self.after or self.before
        texts = [name for name in called_by(type(recorded).pgh_tracked_model) if hasattr(recorded, name)]
        return " - ".join(str(getattr(recorded, name)) for name in texts)


def undo_import(kind: Kind, record: Import) -> Import:
    """Put each row back as it was before the import, and return the record of that.

    Raises InputError, and changes nothing, if somebody undid it already or edited the same words since.
    """
    try:
        with pghistory.context(undoes_import=record.pk) as context, transaction.atomic():
            lock(kind)
            if Import.objects.filter(undoes=record).exists():
                raise InputError("somebody undid it meanwhile; open the page again.")
            return _undo(kind, record, context.id)
    except IntegrityError:
        raise InputError("somebody wrote the same words in this very moment; open the page again.") from None


def _undo(kind: Kind, record: Import, context: Any) -> Import:
    lists, entries = _net(kind.list_model, record), _net(kind.entry_model, record)
    if not lists and not entries:
        raise InputError(UNKNOWN)
    _refuse_later_edits(kind, lists, entries)
    _bring_back(kind.list_model, lists)
    _put_back(kind.list_model, lists)
    _take_out(kind.entry_model, entries)
    _put_back(kind.entry_model, entries)
    _bring_back(kind.entry_model, entries)
    _take_out(kind.list_model, lists)
    _check(kind, record.lists)
    date(kind, set(record.lists))
    return Import.objects.create(
        kind=record.kind,
        file=record.file,
        context=context,
        lists=record.lists,
        slugs=record.slugs,
        added=sum(one.after is None for one in entries),
        changed=sum(None not in (one.before, one.after) and bool(_fields(one)) for one in entries),
        removed=sum(one.before is None for one in entries),
        undoes=record,
    )


def _net(model: Any, record: Import) -> list[Net]:
    """Return each row that the import touched, before and after it."""
    events = EVENTS[model].objects
    earlier = events.filter(pgh_obj=OuterRef("pgh_obj"), pgh_id__lt=OuterRef("pgh_id")).order_by("-pgh_id")
    found = events.filter(pgh_context=record.context).annotate(earlier=Subquery(earlier.values("pgh_id")[:1]))
    first: dict[int, Any] = {}
    last: dict[int, Any] = {}
    for event in found.order_by("pgh_id"):
        first.setdefault(event.pgh_obj_id, event)
        last[event.pgh_obj_id] = event
    before = events.in_bulk([event.earlier for event in first.values() if event.earlier])
    now = model.objects.select_for_update().order_by("pk").in_bulk(list(first))
    return [_net_of(event, before.get(event.earlier), last[pk], now.get(pk)) for pk, event in first.items()]


def _net_of(first: Any, before: Any | None, last: Any, now: Any | None) -> Net:
    if first.pgh_label != "insert" and before is None:
        raise InputError(UNKNOWN)
    start = None if first.pgh_label == "insert" else before
    return Net(first.pgh_obj_id, start, None if last.pgh_label == "delete" else last, now)


def _fields(one: Net) -> list[Any]:
    """Return the fields that the import changed, or all of a row that it added. The position is no word."""
    recorded: Any = one.after
    model = type(recorded).pgh_tracked_model
    fields = words_of(model) if one.before is None else differing(model, one.before, one.after)
    return [field for field in fields if field.name != "position"]


def _is_as_left(one: Net) -> bool:
    """Return whether the row is as the import left it."""
    if one.after is None or one.now is None:
        return one.after is one.now
    return all(getattr(one.now, field.attname) == getattr(one.after, field.attname) for field in _fields(one))


def _refuse_later_edits(kind: Kind, lists: Sequence[Net], entries: Sequence[Net]) -> None:
    changed = [repr(one.name) for one in (*lists, *entries) if not _is_as_left(one)]
    made = [one.pk for one in lists if one.before is None]
    own = {one.pk for one in entries}
    later = kind.entry_model.objects.filter(**{f"{kind.parent}__in": made}).exclude(pk__in=own)
    if edited := [*changed, *(repr(str(entry)) for entry in later[: MOST_NAMED + 1])]:
        more = f" and {len(edited) - MOST_NAMED:,} more" if len(edited) > MOST_NAMED else ""
        raise InputError(
            f"later edits changed {', '.join(edited[:MOST_NAMED])}{more}. Undo these edits first. Nothing was undone."
        )


def _take_out(model: Any, rows: Sequence[Net]) -> None:
    model.objects.filter(pk__in=[one.pk for one in rows if one.before is None]).delete()


def _bring_back(model: Any, rows: Sequence[Net]) -> None:
    back = [as_it_was(model, one.before) for one in rows if one.after is None and one.before is not None]
    model.objects.bulk_create(back, batch_size=BATCH)


def _put_back(model: Any, rows: Sequence[Net]) -> None:
    """Write the earlier values of the fields that the import changed, and of no others."""
    written: set[str] = set()
    changed = [one for one in rows if None not in (one.before, one.after, one.now)]
    for one in changed:
        for field in differing(model, one.before, one.after):
            if getattr(one.now, field.attname) == getattr(one.after, field.attname):
                setattr(one.now, field.attname, getattr(one.before, field.attname))
                written.add(field.name)
    if written:
        model.objects.bulk_create(
            [one.now for one in changed],
            batch_size=BATCH,
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=sorted(written),
        )


def _check(kind: Kind, lists: Sequence[int]) -> None:
    """Raise InputError if the lists would contradict themselves, because words came from elsewhere since."""
    for word_list in kind.list_model.objects.filter(pk__in=lists):
        try:
            word_list.full_clean()
        except ValidationError as error:
            raise InputError(f"{word_list.slug!r}: {fault_of(error)}. Nothing was undone.") from None
        if word := first_repeated(word_list.rows()):
            raise InputError(f"{word!r} was added since and would stand twice. Nothing was undone.")
    check_together(kind, set(lists))
