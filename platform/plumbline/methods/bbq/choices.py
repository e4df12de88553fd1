"""Answers of a BBQ run, a page at a time: by filters, in order of id, from the ids of the shards that can hold them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, F, Q, QuerySet, SmallIntegerField, When

from plumbline.audits.models import Shard
from plumbline.results import models
from plumbline.results.id_pages import id_page
from plumbline.results.ids import id_range
from plumbline.results.not_scorable import NotScorable
from plumbline.results.terms import known_ids, texts_of
from plumbline.spec.banks.bbq_question import NEGATIVE, OPTIONS

MOST_COUNTED = 10_000
MOST_REASONS = 500
TERMS = ("bank", "item", "category", "condition", "polarity", "group", "options", "template", "reason")
LABELS = ("category", "condition", "polarity", "template", "group", "reason")
BIASED, AGAINST = "biased", "other"
_OF_EACH: dict[str, Q] = {
    "UNKNOWN": Q(chosen=F("unknown")),
    "unmatched": Q(chosen__isnull=True),
    "right": Q(chosen=F("gold")),
    "wrong": Q(chosen__isnull=False) & ~Q(chosen=F("gold")),
}
ANSWERS = (BIASED, AGAINST, *_OF_EACH)
"""The filters of answers, by the word in the address."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A filter of answers: their labels (empty: any), the choice, and the items (None: any)."""

    category: str = ""
    condition: str = ""
    polarity: str = ""
    template: str = ""
    group: str = ""
    reason: str = ""
    answer: str = ""
    items: frozenset[str] | None = None
    but_items: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Page:
    """Some answers in order of id, with their terms, and whether there are more on either side."""

    answers: list[Any]
    more_before: bool
    more_after: bool
    count: int
    """The number of all that fit the filter, up to MOST_COUNTED."""


def page(run: int, wanted: Wanted, rows: int, *, after: int | None = None, before: int | None = None) -> Page:
    """Return the first answers after an id or the last before one. Without an id, return the first answers."""
    found = _found(run, wanted)
    count = found.values("id")[: MOST_COUNTED + 1].count()
    if before is not None:
        near = found.filter(id__lt=before).order_by("-id")
    else:
        near = found.filter(id__gt=after or 0).order_by("id")
    own = id_page(lambda limit: list(near[:limit]), rows, after=after, before=before)
    return Page(_labelled(own.rows), own.more_before, own.more_after, count)


def _labelled(records: list[Any]) -> list[Any]:
    """Return the answers with their terms, fetched at once: with joins, a planner reads the whole table of terms."""
    named = [(one, name, getattr(one, f"{name}_id")) for one in records for name in TERMS]
    texts = texts_of({number for _, _, number in named if number is not None})
    for one, name, number in named:
        if number is not None:
            setattr(one, name, models.Term(id=number, text=texts[number]))
    return records


def sampled_shares(run: int, records: Sequence[Any]) -> dict[tuple[int, int], list[float]]:
    """Return the share of each option among the samples that name one, by the ids of item and options."""
    items = {one.item_id for one in records}
    own = models.Choice.objects.filter(run=run, item_id__in=items, chosen__isnull=False)
    counts: dict[tuple[int, int], list[int]] = {}
    for item, listed, place, number in own.values_list("item_id", "options_id", "chosen").annotate(Count("id")):
        counts.setdefault((item, listed), [0] * OPTIONS)[place] = number
    return {key: [number / sum(own) for number in own] for key, own in counts.items()}


def unmatched(run: int, most: int) -> list[NotScorable]:
    """Return the reasons why answers match no option, the most frequent first, each with its categories."""
    own = models.Choice.objects.filter(run=run, id__range=_all(run), chosen__isnull=True)
    counts = own.values_list("reason__text", "category__text").annotate(answers=Count("id"))
    found: dict[str, list[tuple[str, int]]] = {}
    for reason, category, answers in counts.order_by("-answers", "reason__text")[:MOST_REASONS]:
        found.setdefault(reason, []).append((category, answers))
    rows = [NotScorable(reason, sum(n for _, n in own), tuple(own)) for reason, own in found.items()]
    return sorted(rows, key=lambda one: (-one.items, one.reason))[:most]


def _found(run: int, wanted: Wanted) -> QuerySet[Any]:
    found = models.Choice.objects.filter(_ranges(run, wanted), run=run)
    named = {name: getattr(wanted, name) for name in LABELS if getattr(wanted, name)}
    known = known_ids([NEGATIVE, *named.values(), *(wanted.items or ()), *wanted.but_items])
    if any(label not in known for label in named.values()):
        return models.Choice.objects.none()
    found = found.filter(**{f"{name}_id": known[label] for name, label in named.items()})
    if wanted.items is not None:
        found = found.filter(item_id__in=[known[item] for item in wanted.items if item in known])
    if wanted.but_items:
        found = found.exclude(item_id__in=[known[item] for item in wanted.but_items if item in known])
    return found.filter(_answered(wanted.answer, known.get(NEGATIVE, 0))) if wanted.answer in ANSWERS else found


def _answered(answer: str, negative: int) -> Q:
    """Return the filter by answer.

    `negative` is the term of negative questions, in which the target is the biased answer.
    """
    if answer not in (BIASED, AGAINST):
        return _OF_EACH[answer]
    target, other = F("target"), OPTIONS - F("target") - F("unknown")
    when, otherwise = (target, other) if answer == BIASED else (other, target)
    named = Case(When(polarity_id=negative, then=when), default=otherwise, output_field=SmallIntegerField())
    return Q(chosen=named)


def _ranges(run: int, wanted: Wanted) -> Q:
    """Return the ids that the answers may have: a shard is a template, so those of a category are together."""
    if not (wanted.template or wanted.category):
        return Q(id__range=_all(run))
    shards = Shard.objects.filter(run=run)
    if wanted.template:
        shards = shards.filter(items__template=wanted.template)
    else:
        shards = shards.filter(items__template__startswith=f"{wanted.category} ")
    numbers = list(shards.values_list("number", flat=True).order_by("number"))
    # A run that keeps no shards any more is looked through from its first id to its last.
    return _joined(run, numbers) if numbers else Q(id__range=_all(run))


def _joined(run: int, numbers: Sequence[int]) -> Q:
    found, first = Q(), numbers[0]
    for place, number in enumerate(numbers):
        if place + 1 == len(numbers) or numbers[place + 1] != number + 1:
            found |= Q(id__range=(id_range(run, first)[0], id_range(run, number)[1]))
            first = numbers[place + 1] if place + 1 < len(numbers) else first
    return found


def _all(run: int) -> tuple[int, int]:
    return run << 40, ((run + 1) << 40) - 1
