"""Measures that count the items without a score, by reason and group."""

from collections import Counter
from collections.abc import Iterable

from plumbline.spec.measure import Measure
from plumbline.spec.shared_statistics import NOT_SCORABLE

MOST_PAIRS = 2000
"""The most pairs of a reason and a group. Pairs with the most items are kept."""

Counts = list[tuple[str, str, int]]
"""Reason, group and number of items. The group is empty for the items of all groups."""


def with_totals(pairs: Iterable[tuple[str, str, int]]) -> Counts:
    """Return the number of items of each reason, then the largest counts of a reason and a group."""
    every, totals = list(pairs), Counter[str]()
    for reason, _, items in every:
        totals[reason] += items
    of_groups = sorted((one for one in every if one[1]), key=lambda one: (-one[2], *one[:2]))
    return [*((reason, "", items) for reason, items in totals.items()), *of_groups[:MOST_PAIRS]]


def as_measures(counts: Counts) -> list[Measure]:
    return [
        Measure(NOT_SCORABLE.name, "item", n=items, n_units=items, value=items, group_a=group, reason=reason)
        for reason, group, items in counts
    ]
