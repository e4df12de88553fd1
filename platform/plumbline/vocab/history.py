"""Who changed which word when: reading what the database recorded of lists and entries."""

import getpass
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.contrib.auth import get_user_model
from django.db.models import F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value

from plumbline.vocab.cells import to_text
from plumbline.vocab.kinds import Kind
from plumbline.vocab.models.recorded import BESIDE_THE_WORDS, EVENTS

MOST_ROWS = 10_000
"""A word is looked for until so many rows are found that ever held it."""

START = "start"
"""The label of rows that stood already when the recording began: what later changes are told against."""


class Reference(NamedTuple):
    """Where a change is recorded: with the entries or with the lists of its kind, and its number there."""

    at: datetime
    of_list: bool
    number: int


@dataclass(frozen=True, slots=True)
class Edit:
    """One field; `old` is empty for what was added, `new` for what was removed."""

    field: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Change:
    """One row added, changed or removed."""

    reference: Reference
    what: str
    row: str
    list_slug: str
    who: str
    undoes: bool
    edits: list[Edit]


def references(kind: Kind, list_id: int | None, entry_id: int | None, word: str) -> QuerySet[Any, Any]:
    """The changes of a kind, newest first, to be counted and sliced: of one list, of one entry, or of all.

    With a word: those of each row in whose key it ever stood, so that a changed name is found by its old form too.
    """
    entries = EVENTS[kind.entry_model].objects.order_by()
    lists = EVENTS[kind.list_model].objects.order_by()
    if list_id is not None:
        # An entry that moved away has its past here too.
        entries = entries.filter(pgh_obj__in=entries.filter(word_list=list_id).values("pgh_obj"))
        lists = lists.filter(pgh_obj=list_id)
    if entry_id is not None:
        entries, lists = entries.filter(pgh_obj=entry_id), lists.none()
    if word:
        entries = entries.filter(pgh_obj__in=_with(word, entries, kind.columns[: kind.entry_model.KEY]))
        lists = lists.filter(pgh_obj__in=_with(word, lists, ("slug", "title")))
    both = _places(entries, of_list=False).union(_places(lists, of_list=True), all=True)
    newest_first: QuerySet[Any, Any] = both.order_by("-at", "-of_list", "-number")
    return newest_first


def _with(word: str, events: QuerySet[Any], columns: Iterable[str]) -> list[int]:
    """The rows that ever held the word, read here: it is the slow part, and the caller counts and slices."""
    found = Q()
    for column in columns:
        found |= Q(**{f"{column}__icontains": word})
    return list(events.filter(found).values_list("pgh_obj_id", flat=True).distinct()[:MOST_ROWS])


def _places(events: QuerySet[Any], *, of_list: bool) -> QuerySet[Any, Any]:
    shown = events.exclude(pgh_label=START)
    place = Value(int(of_list), output_field=IntegerField())
    named = shown.annotate(at=F("pgh_created_at"), of_list=place, number=F("pgh_id"))
    places: QuerySet[Any, Any] = named.values_list("at", "of_list", "number")
    return places


def changes(kind: Kind, found: Sequence[Any]) -> list[Change]:
    """The changes at these references, in their order; the number of queries does not depend on how many there are."""
    wanted = [Reference(at, bool(of_list), number) for at, of_list, number in found]
    events = {
        of_list: _loaded(model, [each.number for each in wanted if each.of_list is of_list])
        for of_list, model in ((False, kind.entry_model), (True, kind.list_model))
    }
    rows = [row for of_model in events.values() for pair in of_model.values() for row in pair if row is not None]
    slugs = _slugs(kind, {row.word_list_id for row in rows if hasattr(row, "word_list_id")})
    people = _people(event for of_model in events.values() for event, _ in of_model.values())
    return [_change(kind, each, *events[each.of_list][each.number], slugs, people) for each in wanted]


def _loaded(model: type[Any], numbers: list[int]) -> dict[int, tuple[Any, Any]]:
    """Events by number, each with the one before it of the same row, if there is one."""
    if not numbers:
        return {}
    events = EVENTS[model].objects
    before = events.filter(pgh_obj=OuterRef("pgh_obj"), pgh_id__lt=OuterRef("pgh_id")).order_by("-pgh_id")
    found = list(
        events.filter(pk__in=numbers)
        .annotate(number_before=Subquery(before.values("pgh_id")[:1]))
        .select_related("pgh_context")
    )
    earlier = events.in_bulk([event.number_before for event in found if event.number_before])
    return {event.pk: (event, earlier.get(event.number_before)) for event in found}


def before(event: Any) -> Any | None:
    """The event before this one of the same row: what the row was."""
    return type(event).objects.filter(pgh_obj=event.pgh_obj_id, pk__lt=event.pk).order_by("-pk").first()


def words_of(model: type[Any]) -> list[Any]:
    """The fields that people curate, the list of an entry and its position among them."""
    return [field for field in model._meta.local_fields if field.name not in BESIDE_THE_WORDS | {"id"}]


def differing(model: type[Any], one: Any, other: Any) -> list[Any]:
    """The curated fields in which two states of a row differ."""
    return [field for field in words_of(model) if getattr(one, field.attname) != getattr(other, field.attname)]


def _change(
    kind: Kind, reference: Reference, event: Any, earlier: Any, slugs: dict[int, str], people: dict[int, str]
) -> Change:
    model = kind.list_model if reference.of_list else kind.entry_model
    what = {"insert": "added", "update": "changed", "delete": "removed"}[event.pgh_label]
    return Change(
        reference=reference,
        what=what,
        row=event.slug if reference.of_list else " - ".join(str(getattr(event, key)) for key in _key(kind)),
        list_slug=event.slug if reference.of_list else slugs.get(event.word_list_id, ""),
        who=who(event.pgh_context, people),
        undoes="undoes" in (event.pgh_context.metadata if event.pgh_context else {}),
        edits=_edits(model, what, event, earlier, slugs),
    )


def _key(kind: Kind) -> tuple[str, ...]:
    return kind.columns[: kind.entry_model.KEY]


def _edits(model: type[Any], what: str, event: Any, earlier: Any, slugs: dict[int, str]) -> list[Edit]:
    def text(row: Any, field: Any) -> str:
        value = getattr(row, field.attname)
        if field.name == "word_list":
            return slugs.get(value, str(value))
        return "" if value is None else to_text(value)

    if what == "changed":
        fields = differing(model, earlier, event) if earlier else []
        return [Edit(field.verbose_name, text(earlier, field), text(event, field)) for field in fields]
    shown = [(field.verbose_name, text(event, field)) for field in words_of(model) if field.name != "word_list"]
    filled = [(name, value) for name, value in shown if value]
    return [Edit(name, *(("", value) if what == "added" else (value, ""))) for name, value in filled]


def _slugs(kind: Kind, list_ids: set[int]) -> dict[int, str]:
    """The slugs of lists, of deleted ones too, as they were called last."""
    events = EVENTS[kind.list_model].objects.filter(pgh_obj__in=list_ids)
    latest = events.order_by("pgh_obj_id", "-pgh_id").distinct("pgh_obj_id")
    return dict(latest.values_list("pgh_obj_id", "slug"))


def _people(events: Iterable[Any]) -> dict[int, str]:
    ids = {event.pgh_context.metadata.get("user") for event in events if event.pgh_context} - {None}
    people = get_user_model()
    return dict(people._default_manager.filter(pk__in=ids).values_list("pk", people.USERNAME_FIELD))


def who(context: Any, people: dict[int, str]) -> str:
    """The author as recorded: somebody logged in, a command, or neither."""
    known = context.metadata if context else {}
    if known.get("user"):
        return people.get(known["user"], f"user {known['user']}, deleted since")
    if known.get("command"):
        return f"command {known['command']}" + (f" by {known['os_user']}" if known.get("os_user") else "")
    return "not known (not by a page or a command)"


def os_user() -> str:
    """Who runs this process, as recorded with what a command changes; empty where the machine has no name for it."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
