"""What pages say first about a run: counts and short slices of its measures, never all of them.

A run of a million items has hundreds of thousands of measures: they are counted and ranked in the database.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, F, Max, Q, QuerySet, Window
from django.db.models.functions import Abs, RowNumber, Sign

from plumbline.results import models
from plumbline.results.tallies import WORDS_TOLD, Side, Tally
from plumbline.spec.measure import WITHOUT_FLAGGED, Measure
from plumbline.spec.prior import OTHER_PRIOR, is_under_other
from plumbline.spec.shared_statistics import SCORABLE_SHARE
from plumbline.spec.verdicts import Verdict

FIELDS = tuple(Measure.__dataclass_fields__)
PRESENT = Q(verdict=Verdict.PRESENT)
OF_CELLS = ~Q(attribute="")
UNDER_OTHER_PRIOR = Q(variant__startswith=OTHER_PRIOR)
OVERALL = Q(attribute="", template="")
"""Served by an index of its own."""
RANK = Window(RowNumber(), partition_by=[Sign("value")], order_by=[Abs("value").desc(), F("attribute").asc()])
"""The place of a measure among those of its sign, the farthest from zero first."""


@dataclass(frozen=True, slots=True)
class Counted:
    """One contrast of a run: how many attributes were compared, and how many differ, to each side."""

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

    @property
    def present(self) -> int:
        return self.towards_a + self.towards_b


def is_of_earlier_rules(run: int) -> bool:
    """Whether its measures bear a q-value and none a verdict: verdicts came with a later release."""
    own = models.Measure.objects.filter(run=run).order_by()
    judged = own.filter(q_value__isnull=False).annotate(judged=Exists(own.exclude(verdict="")))
    return False in judged.values_list("judged", flat=True)[:1]


def measures(found: QuerySet[Any]) -> list[Measure]:
    return [Measure(**row) for row in found.values(*FIELDS)]


def of_run(run: int, *statistics: str) -> QuerySet[Any]:
    """The measures of these statistics under the prior of the run's spec."""
    return under_every_prior(run, *statistics).exclude(UNDER_OTHER_PRIOR)


def under_every_prior(run: int, *statistics: str) -> QuerySet[Any]:
    """The same, those under other priors among them."""
    return models.Measure.objects.filter(run=run, statistic__in=statistics)


def statistics_there(run: int, names: Iterable[str]) -> set[str]:
    """Which of these statistics a run has: one look into the index for each, as its measures may be half a million."""
    of_each = [of_run(run, name).order_by().values_list("statistic", flat=True)[:1] for name in names]
    return set(of_each[0].union(*of_each[1:], all=True)) if of_each else set()


def counted(run: int, difference: str) -> list[Counted]:
    """The contrasts of a run, the one with most differences first."""
    rows = (
        of_run(run, difference)
        .filter(OF_CELLS)
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
    found = [Counted(**row) for row in rows]
    return sorted(found, key=lambda one: (-one.present, one.group_a, one.group_b))


def strongest(run: int, difference: str, most: int) -> list[Measure]:
    """The differences that are present in a run, over all its contrasts, largest first."""
    found = of_run(run, difference).filter(OF_CELLS, PRESENT)
    return measures(found.order_by(Abs("value").desc(), "attribute")[:most])


def strongest_of_sides(run: int, statistic: str, contrast: Counted, most: int) -> list[Measure]:
    """The attributes of a contrast that are tied more to one group or the other, at most so many each."""
    own = of_run(run, statistic).filter(OF_CELLS, group_a=contrast.group_a, group_b=contrast.group_b)
    ranked = own.filter(value__isnull=False).exclude(value=0).annotate(rank=RANK).filter(rank__lte=most)
    return measures(ranked.order_by("rank"))


def tally(run: int, difference: str, contrast: Counted) -> Tally:
    """A contrast of a run, counted for its sentences."""
    pair = {"group_a": contrast.group_a, "group_b": contrast.group_b}
    centred = of_run(run, f"{difference}_centred").filter(OF_CELLS, PRESENT, **pair)
    size = Window(Count("id"), partition_by=[Sign("value")])
    rows = centred.exclude(value=0).annotate(rank=RANK, size=size, side=Sign("value")).filter(rank__lte=WORDS_TOLD)
    leaning = list(rows.order_by("rank").values_list("side", "size", "attribute"))
    overall = measures(under_every_prior(run, difference).filter(OVERALL, **pair).order_by("category", "pk"))
    return Tally(
        a=_side(contrast.group_a, contrast.towards_a, [row[1:] for row in leaning if row[0] > 0]),
        b=_side(contrast.group_b, contrast.towards_b, [row[1:] for row in leaning if row[0] < 0]),
        attributes=contrast.attributes,
        units=contrast.units,
        overall=tuple(one for one in overall if not is_under_other(one)),
        absent=contrast.absent,
        undecided=contrast.undecided,
        not_testable=contrast.not_testable,
        smallest_effect=contrast.smallest_effect,
        under_others=tuple(filter(is_under_other, overall)),
    )


def _side(group: str, tied: int, leaning: Sequence[tuple[int, str]]) -> Side:
    return Side(group, tied, leaning[0][0] if leaning else 0, tuple(word for _, word in leaning))


def overall(runs: Iterable[int], statistics: Iterable[str]) -> list[tuple[int, Measure]]:
    """The overall measures of many runs, each with its run: one row a contrast and list."""
    every = models.Measure.objects.filter(OVERALL, run__in=list(runs), statistic__in=list(statistics))
    found = every.exclude(UNDER_OTHER_PRIOR)
    rows = found.order_by("run", "group_a", "group_b", "category").values("run", *FIELDS)
    return [(row.pop("run"), Measure(**row)) for row in rows]


def coverage(run: int) -> list[Measure]:
    """The share of each group's items that could be scored, the smallest first."""
    shares = of_run(run, SCORABLE_SHARE.name).filter(OVERALL).exclude(variant__endswith=WITHOUT_FLAGGED)
    return measures(shares.order_by("value", "group_a"))
