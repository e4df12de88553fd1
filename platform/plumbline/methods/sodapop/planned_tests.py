"""The test of a SODAPOP plan: how much more a word misleads about one group of names than about another."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from math import comb, nan
from typing import TYPE_CHECKING

from plumbline.methods.sodapop.needed_names import Needs
from plumbline.spec.content import Name
from plumbline.spec.power.attainable_p import of_splits
from plumbline.spec.power.tests import PlannedTest
from plumbline.spec.verdicts import Scale

if TYPE_CHECKING:
    from plumbline.methods.sodapop.spec import SodapopSpec

WORDS = 100
"""The assumed number of compared words.

It is known after the run and hardly changes the share that must be unanimous.
"""


def of_words(spec: "SodapopSpec", names: Iterable[Name]) -> list[PlannedTest]:
    """Plan the test for the two groups of names with the smallest possible p."""
    groups = Counter(name.group for name in names)
    sizes = sorted(groups.values())
    if len(sizes) < 2 or not spec.params.ask:
        return []
    draws = spec.params.permutations
    best = min(combinations(sizes, 2), key=lambda both: (of_splits(both[0], both[1], draws, draws), -sum(both)))
    pairs = comb(len(sizes), 2)
    exact = comb(sum(best), best[0]) <= draws
    return [
        PlannedTest(
            statistic="relative_difference",
            labels={"category": False, "condition": False, "template": False},
            effect="a relative difference of {} on one word",
            unit="name",
            n_units=sum(best),
            given=f"{best[0]} and {best[1]} names",
            members=WORDS * pairs,
            alpha=spec.alpha,
            margin=spec.margin(Scale.RELATIVE),
            least_p=of_splits(*best, draws, draws),
            member="comparison",
            unanimous="every name of one group is above all names of the other" if exact else "",
            members_are_assumed=True,
            needs=tuple(Needs(groups, WORDS, spec.alpha, draws).sentences()),
            spread=nan,
            largest=2.0,
        )
    ]
