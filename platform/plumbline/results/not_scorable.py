"""Reasons of items without a score. A summary counts them once and stores them as measures.

A measure without a group counts all items with its reason. Other measures count those of one group. Runs without these
measures are counted from their records.
"""

from dataclasses import dataclass

from django.db.models import Count

from plumbline.results import models
from plumbline.results.summary import of_run
from plumbline.results.terms import texts_of
from plumbline.spec.measure import Measure
from plumbline.spec.not_scorable_counts import Counts, as_measures, with_totals
from plumbline.spec.shared_statistics import NOT_SCORABLE


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
    return as_measures(_counted(run))


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
    return with_totals((texts[reason], texts[group], items) for reason, group, items in rows)
