"""Curating's home: the lists with their last change, what changed lately, and what waits for curators."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Count, OuterRef, Q, Subquery
from django.urls import reverse
from pghistory.models import Context

from plumbline.vocab import history
from plumbline.vocab.authors import author_name, names_now
from plumbline.vocab.kinds import KINDS, Kind
from plumbline.vocab.models import Group, RatingList
from plumbline.vocab.models.recorded import EVENTS
from plumbline.vocab.rating_notices import rating_notices

KIND_TITLES = {
    "names": "Names",
    "groups": "Social groups",
    "traits": "Traits",
    "attributes": "Attributes",
    "templates": "Templates",
    "pairings": "Pairings",
    "ratings": "Ratings",
}
CHANGES_SHOWN = 12


@dataclass(frozen=True, slots=True)
class ListRow:
    """One list, its size, and its last recorded change with its author."""

    kind: str
    title: str
    slug: str
    size: int
    at: datetime | None
    who: str
    address: str


@dataclass(frozen=True, slots=True)
class RecentChange:
    """A change in a sentence's parts, and the history that holds it."""

    change: history.Change
    kind: str
    address: str


@dataclass(frozen=True, slots=True)
class Task:
    """Something that waits for a curator, and the page where it is done."""

    text: str
    address: str


def seen_kinds(user: User | AnonymousUser) -> list[Kind]:
    """Return the kinds of list that the person may see."""
    return [kind for kind in KINDS.values() if user.has_perm(f"vocab.view_{kind.list_model._meta.model_name}")]


def list_rows(kinds: Iterable[Kind]) -> list[ListRow]:
    """Return all lists of these kinds, the latest changed first. One query for each kind, and two for the authors."""
    found = [(kind, row) for kind in kinds for row in _lists(kind)]
    contexts = Context.objects.in_bulk({row.last.get("context") for _, row in found} - {None})
    people = names_now(contexts.values())
    rows = [
        ListRow(
            kind.name,
            row.title,
            row.slug,
            row.size,
            row.last.get("at"),
            author_name(contexts[row.last["context"]], people) if row.last.get("context") in contexts else "",
            _page(row),
        )
        for kind, row in found
    ]
    return sorted(rows, key=lambda row: (row.at is None, -(row.at.timestamp() if row.at else 0), row.slug))


def _lists(kind: Kind) -> list[Any]:
    of_entry = EVENTS[kind.entry_model].objects.filter(**{kind.parent: OuterRef("pk")}).order_by("-pgh_id")
    of_list = EVENTS[kind.list_model].objects.filter(pgh_obj=OuterRef("pk")).order_by("-pgh_id")
    lists = list(
        kind.list_model.objects.annotate(
            size=Count("entries"),
            entry_at=Subquery(of_entry.values("pgh_created_at")[:1]),
            entry_context=Subquery(of_entry.values("pgh_context")[:1]),
            list_at=Subquery(of_list.values("pgh_created_at")[:1]),
            list_context=Subquery(of_list.values("pgh_context")[:1]),
        )
    )
    for row in lists:
        pairs = [(row.entry_at, row.entry_context), (row.list_at, row.list_context)]
        row.last = max(
            ({"at": at, "context": context} for at, context in pairs if at), key=lambda one: one["at"], default={}
        )
    return lists


def recent_changes(kinds: Iterable[Kind]) -> list[RecentChange]:
    """Return the latest changes of all kinds, newest first."""
    found = []
    for kind in kinds:
        page = reverse(f"admin:vocab_{kind.list_model._meta.model_name}_changes")
        newest = list(history.references(kind, None, None, "")[:CHANGES_SHOWN])
        found += [RecentChange(change, kind.name, page) for change in history.changes(kind, newest)]
    return sorted(found, key=lambda one: one.change.reference.at, reverse=True)[:CHANGES_SHOWN]


def waiting_tasks(kinds: Iterable[Kind], rows: Iterable[ListRow]) -> list[Task]:
    """Return what waits for curators: missing forms of social groups, flagged ratings, lists without words."""
    names = {kind.name for kind in kinds}
    empty = [Task(f"{row.title or row.slug} has no words.", row.address) for row in rows if not row.size]
    return [
        *(_missing_forms() if "groups" in names else []),
        *(_flagged_ratings() if "ratings" in names else []),
        *empty,
    ]


def _missing_forms() -> list[Task]:
    lacking = {form: Count("pk", filter=Q(**{form: ""})) for form in ("singular", "plural")}
    lists: Any = Group.objects.values("word_list", "word_list__title")
    counted = lists.annotate(**{f"no_{form}": one for form, one in lacking.items()})
    return [
        Task(
            f"{one['word_list__title']}: {one[f'no_{form}']:,} social group"
            f"{'' if one[f'no_{form}'] == 1 else 's'} without a {form}.",
            reverse("admin:vocab_grouplist_change", args=[one["word_list"]]),
        )
        for one in counted.order_by("word_list__slug")
        for form in lacking
        if one[f"no_{form}"]
    ]


def _flagged_ratings() -> list[Task]:
    return [
        Task(f"{word_list.title}: {count:,} notices on ratings.", _page(word_list))
        for word_list in RatingList.objects.all()
        if (count := _notices(word_list.pk, word_list.modified_at))
    ]


@lru_cache(maxsize=64)
def _notices(pk: int, _modified_at: datetime) -> int:
    """Return the number of notices of a rating list, computed again when the list changes."""
    word_list = RatingList.objects.get(pk=pk)
    return len(rating_notices(word_list.slug, word_list.rows()))


def _page(row: Any) -> str:
    return reverse(f"admin:vocab_{row._meta.model_name}_change", args=[row.pk])
