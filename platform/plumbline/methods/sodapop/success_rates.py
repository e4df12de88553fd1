"""The data of the SODAPOP pages: words of two groups, names on a map, and clusters of every pair."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import F, OrderBy, QuerySet, Window
from django.db.models.functions import RowNumber, Sign

from plumbline.findings.sentences import primary_first
from plumbline.methods.sodapop.card import FEW
from plumbline.methods.sodapop.findings import DIFFERENCE, EVIDENCE
from plumbline.pages.charts import geometry
from plumbline.results.summary import OF_CELLS, measures, of_run
from plumbline.spec.measure import Measure

PROJECTION = "success_rate_projection"
RANGES = {
    "seeds": ("lowest", "highest"),
    "single restarts": ("single restart, lowest", "single restart, highest"),
    "chance": ("chance", "chance, 95th percentile"),
}
WORDS_OF_A_SIDE = 15
MOST_OF_A_PAIR = 5000
MOST_FEW = 200
STRONGEST: tuple[OrderBy, ...] = (EVIDENCE.desc(), F("p_value").asc(nulls_last=True), F("attribute").asc())
RANK = Window(RowNumber(), partition_by=[Sign("value")], order_by=STRONGEST)
"""The rank of a word among those of its side."""
MOST_NAMES = 5000


@dataclass(frozen=True, slots=True)
class Chosen:
    """Two groups, a single context ("" for all together) and a definition ("" for the primary one)."""

    group_a: str
    group_b: str
    context: str = ""
    variant: str = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """A word's difference, and its bar in a drawing 100 wide with zero in the middle."""

    measure: Measure
    drawn: geometry.Bar


def pairs(run: int) -> list[tuple[str, str]]:
    found = of_run(run, DIFFERENCE).values_list("group_a", "group_b").order_by("group_a", "group_b")
    return list(found.distinct())


def contexts(run: int, pair: tuple[str, str]) -> list[str]:
    """Return the single contexts in which the two groups were compared."""
    found = of_run(run, DIFFERENCE).filter(group_a=pair[0], group_b=pair[1]).exclude(template="")
    return list(found.values_list("template", flat=True).order_by("template").distinct())


def variants(run: int, pair: tuple[str, str]) -> list[str]:
    """Return the definitions that the run has. The primary one comes first."""
    found = of_run(run, DIFFERENCE).filter(group_a=pair[0], group_b=pair[1])
    return primary_first(found.order_by().values_list("variant", flat=True).distinct())


def strongest(run: int, chosen: Chosen, most: int = WORDS_OF_A_SIDE) -> list[Measure]:
    """Return the words of each side whose intervals are farthest from zero, from the first group's to the second's."""
    compared = _own(run, chosen).filter(value__isnull=False).exclude(value=0).exclude(category=FEW)
    ranked = compared.annotate(rank=RANK, side=Sign("value")).filter(rank__lte=most)
    return measures(ranked.order_by("-side", F("side") * F("rank")))


def few(run: int, chosen: Chosen) -> list[Measure]:
    """Return the words that misled too seldom to compare the groups, in alphabetical order."""
    return measures(_own(run, chosen).filter(category=FEW, value__isnull=False).order_by("attribute")[:MOST_FEW])


def all_words(run: int, chosen: Chosen) -> list[Measure]:
    return measures(_own(run, chosen).order_by(*STRONGEST)[:MOST_OF_A_PAIR])


def of_words(run: int, chosen: Chosen, words: Iterable[str]) -> dict[str, Measure]:
    return {one.attribute: one for one in measures(_own(run, chosen).filter(attribute__in=list(words)))}


def _own(run: int, chosen: Chosen) -> QuerySet[Any]:
    return of_run(run, DIFFERENCE).filter(
        OF_CELLS,
        group_a=chosen.group_a,
        group_b=chosen.group_b,
        template=chosen.context,
        variant=chosen.variant,
        condition="",
    )


def bars(found: Sequence[Measure], end: float | None = None) -> list[Bar]:
    """Return the bars. `end` is the value of a bar that is half as wide as the drawing, by default the longest one."""
    end = end or longest(found)
    return [Bar(one, geometry.bar(one.value, end)) for one in found]


def longest(found: Iterable[Measure]) -> float:
    return geometry.farthest(one.value for one in found)


@dataclass(slots=True)
class Clusters:
    """How well two clusters separate a pair of groups: the accuracy, and further measures by condition."""

    measure: Measure | None = None
    others: dict[str, Measure] = field(default_factory=dict)

    @property
    def ranges(self) -> list[tuple[str, Measure, Measure]]:
        """The ranges of the accuracy, each as label, lower and upper measure."""
        return [
            (label, self.others[low], self.others[high])
            for label, (low, high) in RANGES.items()
            if low in self.others and high in self.others
        ]


def matrix(found: Iterable[Measure]) -> tuple[list[str], list[tuple[str, list[Clusters | None]]]]:
    """Return all groups, and each group's cells below the diagonal, since a pair has one accuracy."""
    cells: dict[frozenset[str], Clusters] = {}
    for one in found:
        cell = cells.setdefault(frozenset((one.group_a, one.group_b)), Clusters())
        if one.condition:
            cell.others[one.condition] = one
        else:
            cell.measure = one
    groups = sorted({group for pair in cells for group in pair})
    rows = [
        (group, [cells.get(frozenset((group, other))) for other in groups[:number]])
        for number, group in enumerate(groups)
    ]
    return groups, rows
