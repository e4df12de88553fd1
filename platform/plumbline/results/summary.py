"""Counts and short slices of a run's measures for its pages.

A run of a million items has hundreds of thousands of measures, so the database counts and ranks them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Count, Exists, F, Max, Q, QuerySet, Window
from django.db.models.functions import Abs, RowNumber, Sign
from sqlalchemy import ARRAY, Text, exists, func, literal, select, true, tuple_

from plumbline.results import models, statements
from plumbline.results.tables import measure
from plumbline.spec.measure import OTHER_GROUPS, WITHOUT_FLAGGED, Measure
from plumbline.spec.prior import OTHER_PRIOR
from plumbline.spec.shared_statistics import SCORABLE_SHARE
from plumbline.spec.verdicts import Verdict

Pair = tuple[str, str]
FIELDS = tuple(Measure.__dataclass_fields__)
PRESENT = Q(verdict=Verdict.PRESENT)
OF_CELLS = ~Q(attribute="")
UNDER_OTHER_PRIOR = Q(variant__startswith=OTHER_PRIOR)
OVERALL = Q(attribute="", template="")
"""The condition of overall measures, which has its own index."""
RANK = Window(RowNumber(), partition_by=[Sign("value")], order_by=[Abs("value").desc(), F("attribute").asc()])
"""The rank of a measure among those of the same sign, the largest effect first."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of one contrast: the compared attributes, and those that differ towards each group."""

    group_a: str
    group_b: str
    attributes: int
    units: int
    towards_a: int
    towards_b: int
    absent: int
    undecided: int
    not_testable: int
    smallest_effect: float | None


def is_of_earlier_rules(run: int) -> bool:
    """Return whether the run has measures with q-values but without verdicts, as earlier releases wrote them."""
    own = models.Measure.objects.filter(run=run).order_by()
    judged = own.filter(q_value__isnull=False).annotate(judged=Exists(own.exclude(verdict="")))
    return False in judged.values_list("judged", flat=True)[:1]


def measures(found: QuerySet[Any]) -> list[Measure]:
    return [Measure(**row) for row in found.values(*FIELDS)]


def of_run(run: int, *statistics: str) -> QuerySet[Any]:
    """Return the measures of these statistics under the prior of the run's spec."""
    return under_every_prior(run, *statistics).exclude(UNDER_OTHER_PRIOR)


def under_every_prior(run: int, *statistics: str) -> QuerySet[Any]:
    """Return the measures of these statistics under every prior."""
    return models.Measure.objects.filter(run=run, statistic__in=statistics)


def corrected_tests(run: int, statistic: str) -> int:
    """Return the number of single words with a q-value of a statistic. Those of lists are another family."""
    return of_run(run, statistic).filter(OF_CELLS, q_value__isnull=False).count()


def statistics_there(run: int, names: Iterable[str]) -> set[str]:
    """Return which of these statistics a run has under the prior of its spec, by one index look-up each."""
    name = func.unnest(literal(list(names), ARRAY(Text))).column_valued("name")
    own = (measure.c.run == run, measure.c.statistic == name, ~measure.c.variant.startswith(OTHER_PRIOR))
    return {found for (found,) in statements.rows(select(name).where(exists().where(*own)))}


def contrasts(run: int, difference: str) -> list[Pair]:
    """Return the pairs of groups that a run compares word by word, the one with the most differences first."""
    found = of_run(run, difference).filter(OF_CELLS, PRESENT).values_list("group_a", "group_b").annotate(Count("id"))
    present = {(a, b): number for a, b, number in found}
    return sorted(_compared_on_words(run, difference), key=lambda pair: (-present.get(pair, 0), *pair))


def counted(run: int, difference: str, pairs: Sequence[Pair] | None = None) -> list[Counted]:
    """Return the counts of these contrasts, or of all, in their order."""
    wanted = Q() if pairs is None else reduce(or_, (Q(group_a=a, group_b=b) for a, b in pairs), Q(pk__in=()))
    rows = (
        of_run(run, difference)
        .filter(OF_CELLS, wanted)
        .values("group_a", "group_b")
        .annotate(
            attributes=Count("id"),
            units=Max("n_units"),
            towards_a=Count("id", filter=PRESENT & Q(value__gt=0)),
            towards_b=Count("id", filter=PRESENT & Q(value__lt=0)),
            absent=Count("id", filter=Q(verdict=Verdict.ABSENT)),
            undecided=Count("id", filter=Q(verdict=Verdict.UNDECIDED)),
            not_testable=Count("id", filter=Q(verdict=Verdict.NOT_TESTABLE)),
            smallest_effect=Max("smallest_effect"),
        )
    )
    found = {(row["group_a"], row["group_b"]): Counted(**row) for row in rows}
    return [found[pair] for pair in (contrasts(run, difference) if pairs is None else pairs) if pair in found]


def _compared_on_words(run: int, difference: str) -> list[Pair]:
    """Return the pairs of groups. The database jumps in its index from each pair to the next one."""
    groups = (measure.c.group_a, measure.c.group_b)
    own = select(*groups).where(measure.c.run == run, measure.c.statistic == difference)
    first = own.order_by(*groups).limit(1)
    pair = first.cte("pair", recursive=True)
    later = first.where(tuple_(*groups) > tuple_(*pair.c)).lateral()
    found = pair.union_all(select(*later.c).select_from(pair.join(later, true())))
    words = exists(own.where(tuple_(*groups) == tuple_(*found.c), measure.c.attribute != ""))
    return [(a, b) for a, b in statements.rows(select(*found.c).where(words))]


def compared_groups(run: int, difference: str) -> list[str]:
    """Return the groups of a run that a difference compares with others."""
    rows = of_run(run, difference).filter(OVERALL, group_b=OTHER_GROUPS)
    return list(rows.order_by("group_a").values_list("group_a", flat=True).distinct())


def strongest(run: int, difference: str, most: int) -> list[Measure]:
    """Return a run's present differences over all contrasts, largest first."""
    found = of_run(run, difference).filter(OF_CELLS, PRESENT)
    return measures(found.order_by(Abs("value").desc(), "attribute")[:most])


def strongest_of_sides(run: int, statistic: str, contrast: Counted, most: int) -> list[Measure]:
    """Return the attributes of a contrast with the largest differences to each side, at most `most` per side."""
    own = of_run(run, statistic).filter(OF_CELLS, group_a=contrast.group_a, group_b=contrast.group_b)
    ranked = own.filter(value__isnull=False).exclude(value=0).annotate(rank=RANK).filter(rank__lte=most)
    return measures(ranked.order_by("rank"))


def overall(runs: Iterable[int], statistics: Iterable[str]) -> list[tuple[int, Measure]]:
    """Return the overall measures of several runs, each with its run: one row per contrast and list."""
    every = models.Measure.objects.filter(OVERALL, run__in=list(runs), statistic__in=list(statistics))
    found = every.exclude(UNDER_OTHER_PRIOR)
    rows = found.order_by("run", "group_a", "group_b", "category").values("run", *FIELDS)
    return [(row.pop("run"), Measure(**row)) for row in rows]


def coverage(run: int) -> list[Measure]:
    """Return the share of each group's items that could be scored, smallest first."""
    shares = of_run(run, SCORABLE_SHARE.name).filter(OVERALL).exclude(variant__endswith=WITHOUT_FLAGGED)
    return measures(shares.order_by("value", "group_a"))
