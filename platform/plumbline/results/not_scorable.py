"""Reasons of items without a score. A summary counts them once and stores them as measures.

A measure without a group counts all items with its reason. Other measures count those of one group. Runs without these
measures are counted from their records.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count

from plumbline.results import models
from plumbline.results.summary import of_run
from plumbline.results.terms import texts_of
from plumbline.spec.measure import Measure
from plumbline.spec.shared_statistics import NOT_SCORABLE

MOST_PAIRS = 2000
"""The most pairs of a reason and a group. Pairs with the most items are kept."""

Counts = list[tuple[str, str, int]]
"""Reason, group and number of items. The group is empty for the items of all groups."""


@dataclass(frozen=True, slots=True)
class NotScorable:
    """Items that share a reason: their number in total and by group, largest first."""

    reason: str
    items: int
    groups: tuple[tuple[str, int], ...]


def not_scorable(run: int, most: int) -> list[NotScorable]:
    """Return the most common reasons of items without a score, with their groups."""
    counts = _counts(run)
    groups: dict[str, list[tuple[str, int]]] = {}
    for reason, group, items in counts:
        if group:
            groups.setdefault(reason, []).append((group, items))
    return [NotScorable(reason, items, tuple(groups.get(reason, ()))) for reason, items in _totals(counts)[:most]]


def reasons(run: int) -> list[tuple[str, int]]:
    """Return each reason with its number of items, the most common first."""
    return _totals(_counts(run))


def measured(run: int) -> list[Measure]:
    """Return the counts of a run's records as measures."""
    return [
        Measure(NOT_SCORABLE.name, "item", n=items, n_units=items, value=items, group_a=group, reason=reason)
        for reason, group, items in _counted(run)
    ]


def _totals(counts: Counts) -> list[tuple[str, int]]:
    return sorted(((reason, n) for reason, group, n in counts if not group), key=lambda one: (-one[1], one[0]))


def _counts(run: int) -> Counts:
    """Return the stored counts or those from the records, largest first."""
    kept = of_run(run, NOT_SCORABLE.name).order_by("-n", "reason", "group_a")
    return list(kept.values_list("reason", "group_a", "n")) or _counted(run)


def _counted(run: int) -> Counts:
    """Count the items without a score by an index of these items alone. It takes seconds for millions of them."""
    own = models.Association.objects.filter(run=run, scorable=False).order_by()
    rows = list(own.values_list("reason", "group").annotate(items=Count("id")))
    texts = texts_of({pk for row in rows for pk in row[:2]})
    pairs = [(texts[reason], texts[group], items) for reason, group, items in rows]
    of_groups = sorted((one for one in pairs if one[1]), key=lambda one: (-one[2], *one[:2]))
    return [*_of_all_groups(pairs), *of_groups[:MOST_PAIRS]]


def _of_all_groups(pairs: Iterable[tuple[str, str, int]]) -> Counts:
    totals = Counter[str]()
    for reason, _, items in pairs:
        totals[reason] += items
    return [(reason, "", items) for reason, items in totals.items()]
