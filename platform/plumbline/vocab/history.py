"""History of lists and entries: who changed what and when, as the database recorded it."""

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, NamedTuple, Protocol

from django.db.models import F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value

from plumbline.vocab.authors import author_name, names_now
from plumbline.vocab.cells import to_text
from plumbline.vocab.models.recorded import EVENTS, KEPT_BY_PROGRAMS, called_by

MOST_LOOKED_AT = 100
"""The number of changes of a row that are searched for the author of the last one."""

MOST_ROWS = 10_000
"""The number of rows at which the search for a word stops."""

START = "start"
"""The label of rows that existed when the recording began. Later changes are compared with it."""


class Past(Protocol):
    """The models whose changes are shown together: the rows of one, and the rows of another that belong to them."""

    @property
    def list_model(self) -> type[Any]: ...

    @property
    def entry_model(self) -> type[Any] | None: ...

    @property
    def parent(self) -> str:
        """The foreign key from an entry to its list."""


class Reference(NamedTuple):
    """The place of a recorded change: with the entries or with the lists of its kind, and its number there."""

    at: datetime
    of_list: bool
    number: int


@dataclass(frozen=True, slots=True)
class Edit:
    """One changed field. `old` is empty for what was added, `new` for what was removed."""

    field: str
    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Change:
    """One row that was added, changed or removed."""

    reference: Reference
    what: str
    row: str
    list_slug: str
    who: str
    undoes: bool
    file: str
    """The file whose import made the change, if one did."""
    edits: list[Edit]


def references(kind: Past, list_id: int | None, entry_id: int | None, word: str) -> QuerySet[Any, Any]:
    """Return the changes of a kind, newest first, to be counted and sliced: of one list, of one entry, or of all.

    With a word: the changes of each row whose key ever held it, so that a changed name is found by its old form
    too.
    """
    lists = EVENTS[kind.list_model].objects.order_by()
    if list_id is not None:
        lists = lists.filter(pgh_obj=list_id)
    both = _places(lists if entry_id is None else lists.none(), kind.list_model, word, of_list=True)
    if kind.entry_model is not None:
        entries = EVENTS[kind.entry_model].objects.order_by()
        if list_id is not None:
            # An entry that moved away has its past here too.
            entries = entries.filter(pgh_obj__in=entries.filter(**{kind.parent: list_id}).values("pgh_obj"))
        if entry_id is not None:
            entries = entries.filter(pgh_obj=entry_id)
        both = _places(entries, kind.entry_model, word, of_list=False).union(both, all=True)
    newest_first: QuerySet[Any, Any] = both.order_by("-at", "-of_list", "-number")
    return newest_first


def _rows_with_word(word: str, events: QuerySet[Any], model: type[Any]) -> list[int]:
    """Return the rows that ever held the word.

    They are read here, since this is the slow part; the caller counts and slices.
    """
    found = _in_texts(word, model)
    for field in (each for each in _name_fields(model) if each.is_relation):
        found |= Q(**{f"{field.attname}__in": _called_with(word, field.related_model)})
    return list(events.filter(found).values_list("pgh_obj_id", flat=True).distinct()[:MOST_ROWS])


def _name_fields(model: type[Any]) -> list[Any]:
    """Return the fields by which a row is found."""
    named = {*called_by(model), "title"}
    return [field for field in model._meta.fields if field.name in named]


def _in_texts(word: str, model: type[Any]) -> Q:
    found = Q(pk__in=())
    for field in (each for each in _name_fields(model) if not each.is_relation):
        found |= Q(**{f"{field.name}__icontains": word})
    return found


def _called_with(word: str, model: type[Any]) -> QuerySet[Any, Any]:
    """Return the rows that others refer to by the word: under any recorded name, else under the present one."""
    rows, number = (EVENTS[model].objects, "pgh_obj") if model in EVENTS else (model._default_manager, "pk")
    found: QuerySet[Any, Any] = rows.filter(_in_texts(word, model)).values(number)
    return found


def _places(events: QuerySet[Any], model: type[Any], word: str, *, of_list: bool) -> QuerySet[Any, Any]:
    shown = events.exclude(pgh_label=START)
    if word:
        shown = shown.filter(pgh_obj__in=_rows_with_word(word, events, model))
    place = Value(int(of_list), output_field=IntegerField())
    named = shown.annotate(at=F("pgh_created_at"), of_list=place, number=F("pgh_id"))
    places: QuerySet[Any, Any] = named.values_list("at", "of_list", "number")
    return places


def changes(kind: Past, found: Sequence[Any]) -> list[Change]:
    """Return the changes at these references, in their order. The number of queries does not depend on their number."""
    wanted = [Reference(at, bool(of_list), number) for at, of_list, number in found]
    models = {False: kind.entry_model, True: kind.list_model}
    events = {
        of_list: _loaded(model, [each.number for each in wanted if each.of_list is of_list])
        for of_list, model in models.items()
        if model is not None
    }
    names = _names((models[of_list], pair) for of_list, pairs in events.items() for pair in pairs.values())
    people = names_now(event.pgh_context for pairs in events.values() for event, _ in pairs.values())
    return [_change(kind, each, *events[each.of_list][each.number], names, people) for each in wanted]


def _loaded(model: type[Any], numbers: list[int]) -> dict[int, tuple[Any, Any]]:
    """Return events by number, each with the event before it of the same row, if there is one."""
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
    """Return the event before this one of the same row: the row's earlier state."""
    return type(event).objects.filter(pgh_obj=event.pgh_obj_id, pk__lt=event.pk).order_by("-pk").first()


def words_of(model: type[Any]) -> list[Any]:
    """Return the fields that people edit, the list of an entry, and its position."""
    return [field for field in model._meta.fields if field.name not in KEPT_BY_PROGRAMS | {"id"}]


def differing(model: type[Any], one: Any, other: Any) -> list[Any]:
    """Return the edited fields in which two states of a row differ."""
    return [field for field in words_of(model) if getattr(one, field.attname) != getattr(other, field.attname)]


def last_author(model: type[Any], pk: int, names: Collection[str]) -> str:
    """Return who wrote or removed the present values of these fields; "somebody" if nothing is recorded."""
    found = [event for event in (_last(model, pk, names), *_last_of_many(model, pk, names)) if event is not None]
    latest = max(found, key=lambda event: event.pgh_created_at, default=None)
    return (
        author_name(latest.pgh_context, names_now([latest.pgh_context]))
        if latest and latest.pgh_context
        else "somebody"
    )


def author_at(model: type[Any], pk: int, name: str, at: datetime) -> tuple[str, datetime] | None:
    """Return who had given a field the value that it had at a time, and when; None where it is not recorded."""
    recorded = EVENTS[model].objects.filter(pgh_obj=pk, pgh_created_at__lte=at).select_related("pgh_context")
    events = list(recorded.order_by("-pk")[:MOST_LOOKED_AT])
    changed = (one for one, earlier in pairwise(events) if getattr(one, name) != getattr(earlier, name))
    found = next(changed, events[-1] if 0 < len(events) < MOST_LOOKED_AT else None)
    if found is None or found.pgh_label == START or not found.pgh_context:
        return None
    return author_name(found.pgh_context, names_now([found.pgh_context])), found.pgh_created_at


def _last(model: type[Any], pk: int, names: Collection[str]) -> Any | None:
    if model not in EVENTS:
        return None
    events = EVENTS[model].objects.filter(pgh_obj=pk).select_related("pgh_context").order_by("-pk")
    for event, earlier in pairwise(events[:MOST_LOOKED_AT]):
        if event.pgh_label == "delete" or {field.name for field in differing(model, earlier, event)} & {*names}:
            return event
    return None


def _last_of_many(model: type[Any], pk: int, names: Collection[str]) -> list[Any]:
    """Return the last author of fields of many rows, which are tables of their own and recorded as such."""
    found = []
    for field in model._meta.many_to_many:
        for recorded in EVENTS:
            if field.name in names and recorded._meta.concrete_model is field.remote_field.through:
                events = EVENTS[recorded].objects.filter(**{field.m2m_field_name(): pk})
                found += events.select_related("pgh_context").order_by("-pk")[:1]
    return found


Names = dict[type[Any], dict[int, str]]
"""The names of rows that others refer to, by model and number."""


def _change(kind: Past, reference: Reference, event: Any, earlier: Any, names: Names, people: dict[int, str]) -> Change:
    model = kind.list_model if reference.of_list else kind.entry_model
    assert model is not None  # noqa: S101 -- of what there is no model there is no event
    what = {"insert": "added", "update": "changed", "delete": "removed"}[event.pgh_label]
    keys = [model._meta.get_field(name) for name in called_by(model)]
    row = " - ".join(_text(event, key, names) for key in keys)
    known = event.pgh_context.metadata if event.pgh_context else {}
    return Change(
        reference=reference,
        what=what,
        row=row,
        list_slug=row if reference.of_list else _text(event, model._meta.get_field(kind.parent), names),
        who=author_name(event.pgh_context, people),
        undoes=bool({"undoes", "undoes_import"} & known.keys()),
        file=known.get("import_of", ""),
        edits=_edits(model, what, event, earlier, names, without="" if reference.of_list else kind.parent),
    )


def _text(row: Any, field: Any, names: Names) -> str:
    value = getattr(row, field.attname)
    if value is not None and field.is_relation:
        return names[field.related_model].get(value, f"{field.related_model._meta.verbose_name} {value}")
    if isinstance(value, dict):
        return _json(value)
    return "" if value is None else to_text(value)


def _edits(model: type[Any], what: str, event: Any, earlier: Any, names: Names, without: str) -> list[Edit]:
    """Return the edits of a change. `without` is the field that an addition or a removal shows elsewhere."""
    if what == "changed":
        fields = differing(model, earlier, event) if earlier else []
        return [edit for field in fields for edit in _changed(field, earlier, event, names)]
    fields = [field for field in words_of(model) if field.name != without]
    shown = [(str(field.verbose_name), _text(event, field, names)) for field in fields]
    filled = [(name, value) for name, value in shown if value]
    return [Edit(name, *(("", value) if what == "added" else (value, ""))) for name, value in filled]


def _changed(field: Any, earlier: Any, event: Any, names: Names) -> list[Edit]:
    """Return one edit; of a mapping, one for each key that differs."""
    label, old, new = str(field.verbose_name), getattr(earlier, field.attname), getattr(event, field.attname)
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return [Edit(label, _text(earlier, field, names), _text(event, field, names))]
    keys = [key for key in {**old, **new} if (key in old, old.get(key)) != (key in new, new.get(key))]
    return [Edit(f"{label}, {key}", *(_json(each[key]) if key in each else "" for each in (old, new))) for key in keys]


def _json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _names(found: Iterable[tuple[Any, tuple[Any, Any]]]) -> Names:
    """Return the names of the rows that these events refer to."""
    wanted: dict[type[Any], set[int]] = {}
    for model, pair in found:
        for field in words_of(model):
            if field.is_relation:
                ids = {getattr(row, field.attname) for row in pair if row is not None} - {None}
                wanted.setdefault(field.related_model, set()).update(ids)
    return {model: _recorded_names(model, ids) for model, ids in wanted.items()}


def _recorded_names(model: type[Any], ids: set[int]) -> dict[int, str]:
    """Return the present or last names of these rows. Deleted rows have one if their changes are recorded."""
    if model not in EVENTS:
        return {pk: str(row) for pk, row in model.objects.in_bulk(ids).items()}
    events = EVENTS[model].objects.filter(pgh_obj__in=ids).order_by("pgh_obj_id", "-pgh_id").distinct("pgh_obj_id")
    texts = [name for name in called_by(model) if not model._meta.get_field(name).is_relation]
    return {pk: " - ".join(map(str, called)) for pk, *called in events.values_list("pgh_obj_id", *texts)}
