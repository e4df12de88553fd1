"""The counts of a contrast of two groups, from which its sentences are written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Count, Max, Window
from django.db.models.functions import Sign

from plumbline.results.summary import (
    OF_CELLS,
    OVERALL,
    PRESENT,
    RANK,
    Counted,
    measures,
    of_run,
    under_every_prior,
)
from plumbline.spec.measure import Measure
from plumbline.spec.prior import is_under_other
from plumbline.spec.verdicts import Verdict

WORDS_TOLD = 3
"""The number of words that a sentence names for each side."""


@dataclass(frozen=True, slots=True)
class Side:
    """One group of a contrast: the attributes linked more strongly with it, and the words that lean to it."""

    group: str
    linked: int
    leaning: int
    words: tuple[str, ...]
    """The words that lean to it most strongly."""


@dataclass(frozen=True, slots=True)
class Tally:
    """The counts of a contrast."""

    a: Side
    b: Side
    attributes: int
    units: int
    overall: tuple[Measure, ...]
    absent: int
    undecided: int
    not_testable: int
    smallest_effect: float | None
    under_others: tuple[Measure, ...] = ()
    kinds: Mapping[str, int] = field(default_factory=dict)
    """The most kinds of sentence of a word, by list. Empty if the mean of each list can be tested."""

    @property
    def judged(self) -> int:
        """The number of attributes with a verdict. It is 0 for measures of earlier rules."""
        return self.a.linked + self.b.linked + self.absent + self.undecided + self.not_testable


def tally(run: int, difference: str, contrast: Counted) -> Tally:
    """Return the counts of a contrast for its sentences."""
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
        kinds=_kinds(run, difference, pair) if any(one.verdict == Verdict.NOT_TESTABLE for one in overall) else {},
    )


def _kinds(run: int, difference: str, pair: Mapping[str, str]) -> dict[str, int]:
    rows = of_run(run, difference).filter(OF_CELLS, **pair).values("category").annotate(kinds=Max("n_units"))
    return dict(rows.values_list("category", "kinds"))


def _side(group: str, linked: int, leaning: Sequence[tuple[int, str]]) -> Side:
    return Side(group, linked, leaning[0][0] if leaning else 0, tuple(word for _, word in leaning))
