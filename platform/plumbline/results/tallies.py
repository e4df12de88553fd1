"""The counts of a contrast of two groups, from which its sentences are written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_

from django.db.models import Count, F, Max, Q, Window
from django.db.models.expressions import BaseExpression
from django.db.models.functions import Abs, RowNumber, Sign

from plumbline.results.summary import (
    OF_CELLS,
    OVERALL,
    PRESENT,
    Counted,
    Pair,
    measures,
    of_run,
    under_every_prior,
)
from plumbline.spec.measure import Measure
from plumbline.spec.prior import is_under_other
from plumbline.spec.verdicts import Verdict

WORDS_TOLD = 3
"""The number of words that a sentence names for each side."""
Leaning = dict[tuple[str, str, int], list[tuple[int, str]]]
"""The words that lean most, by contrast and sign, each with the number of words of its side."""
Kinds = dict[Pair, dict[str, int]]
"""The most kinds of sentence of a word, by contrast and list."""


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
    (found,) = tallies(run, difference, [contrast])
    return found


def tallies(run: int, difference: str, contrasts: Sequence[Counted]) -> list[Tally]:
    """Return the counts of contrasts, in their order. The number of queries does not depend on their number."""
    pairs = reduce(or_, (Q(group_a=one.group_a, group_b=one.group_b) for one in contrasts), Q(pk__in=()))
    leaning = _leaning(run, difference, pairs)
    every = measures(under_every_prior(run, difference).filter(OVERALL, pairs).order_by("category", "pk"))
    needs_kinds = any(one.verdict == Verdict.NOT_TESTABLE for one in every)
    kinds = _kinds(run, difference, pairs) if needs_kinds else {}
    return [_tally(one, leaning, [row for row in every if _pair(row) == _pair(one)], kinds) for one in contrasts]


def _tally(contrast: Counted, leaning: Leaning, overall: Sequence[Measure], kinds: Kinds) -> Tally:
    pair = _pair(contrast)
    return Tally(
        a=_side(contrast.group_a, contrast.towards_a, leaning.get((*pair, 1), [])),
        b=_side(contrast.group_b, contrast.towards_b, leaning.get((*pair, -1), [])),
        attributes=contrast.attributes,
        units=contrast.units,
        overall=tuple(one for one in overall if not is_under_other(one)),
        absent=contrast.absent,
        undecided=contrast.undecided,
        not_testable=contrast.not_testable,
        smallest_effect=contrast.smallest_effect,
        under_others=tuple(filter(is_under_other, overall)),
        kinds=kinds.get(pair, {}) if any(one.verdict == Verdict.NOT_TESTABLE for one in overall) else {},
    )


def _pair(one: Counted | Measure) -> Pair:
    return one.group_a, one.group_b


def _leaning(run: int, difference: str, pairs: Q) -> Leaning:
    """Return the words that lean most, each with the number of words of its side."""
    side: list[BaseExpression | F | str] = [F("group_a"), F("group_b"), Sign("value")]
    rank = Window(RowNumber(), partition_by=side, order_by=[Abs("value").desc(), "attribute"])
    own = of_run(run, f"{difference}_centred").filter(OF_CELLS, PRESENT, pairs).exclude(value=0)
    rows = own.annotate(rank=rank, size=Window(Count("id"), partition_by=side), side=Sign("value"))
    found: Leaning = {}
    named = rows.filter(rank__lte=WORDS_TOLD).order_by("rank")
    for *key, size, word in named.values_list("group_a", "group_b", "side", "size", "attribute"):
        found.setdefault((key[0], key[1], int(key[2])), []).append((size, word))
    return found


def _kinds(run: int, difference: str, pairs: Q) -> Kinds:
    rows = of_run(run, difference).filter(OF_CELLS, pairs).values("group_a", "group_b", "category")
    found: Kinds = {}
    for a, b, words, kinds in rows.annotate(kinds=Max("n_units")).values_list(
        "group_a", "group_b", "category", "kinds"
    ):
        found.setdefault((a, b), {})[words] = kinds
    return found


def _side(group: str, linked: int, leaning: Sequence[tuple[int, str]]) -> Side:
    return Side(group, linked, leaning[0][0] if leaning else 0, tuple(word for _, word in leaning))
