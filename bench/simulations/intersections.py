"""Figures over pairs of groups, whose component groups are the units: identity order and dominance of domains."""

from collections.abc import Callable, Iterator

import numpy as np

from bench.simulations.measured import MASKED
from bench.simulations.outcomes import Found, found_of
from bench.simulations.scenarios import CORRELATION, LOG, Scenario, Simulate, Simulated
from plumbline.spec.power.default_spreads import MEASURED
from workers.analyses.intersections.emergent import emergence_of
from workers.analyses.intersections.members import NONE, Members
from workers.statistics.crossed import Crossed, CrossedEstimate, crossed_mean
from workers.statistics.resampling import Resampling

HOW = Resampling(resamples=300, permutations=199)
GROUP, PAIR = 0.1, 0.15
"""Deviations of a difference of taus: between component groups of a side, and between pairs."""
FAR = 1.0
"""How much less the second component is linked with a trait."""
BOTH = "conservative: the larger p of the distances from both components, and their sign must agree"
EITHER = "conservative: the larger p of two sides, and resamples of both sides"


def scenarios() -> Iterator[Simulated]:
    for groups in (7, 20):
        told = f"all pairs of {groups} groups"
        yield Scenario("intersections", "identity order", told, of_all(groups), CORRELATION, EITHER)
    for kinds in (7, 12):
        told = f"masked-demo, {kinds} kinds"
        yield Scenario("intersections", "emergent trait", told, of_traits(kinds), LOG, BOTH)
    for first, second in ((7, 10), (14, 8)):
        told = f"domains of {first} and {second} groups, all pairs"
        yield Scenario("intersections", "dominance of a domain", told, of_domains(first, second), CORRELATION, EITHER)


def of_all(groups: int) -> Simulate:
    """All pairs of some groups, in one order each: any group may be on either side."""
    first, second = np.triu_indices(groups, 1)
    pairs = Crossed(first, second)

    def one(effect: float, random: np.random.Generator) -> CrossedEstimate:
        own = GROUP * random.normal(size=groups)
        values = effect + own[first] + own[second] + PAIR * random.normal(size=len(first))
        return crossed_mean(values, pairs, HOW, test=True)

    return _simulate(one, groups)


def of_domains(first: int, second: int) -> Simulate:
    ones, others = np.divmod(np.arange(first * second), second)
    strata = np.repeat(np.array([0, 1]), [first, second])
    pairs = Crossed(ones, first + others, strata)

    def one(effect: float, random: np.random.Generator) -> CrossedEstimate:
        of_first, of_second = GROUP * random.normal(size=first), GROUP * random.normal(size=second)
        values = effect + of_first[ones] + of_second[others] + PAIR * random.normal(size=len(ones))
        return crossed_mean(values, pairs, HOW, test=True)

    return _simulate(one, min(first, second))


def _simulate(one: Callable[[float, np.random.Generator], CrossedEstimate], units: int) -> Simulate:
    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        found = [one(effect, random) for _ in range(size)]
        numbers = [(each.value, each.ci_low, each.ci_high, each.p_value) for each in found]
        return found_of(*np.array(numbers).T, units=units, truth=effect)

    return simulate


def of_traits(kinds: int) -> Simulate:
    """A trait of a pair that exceeds its first component by the effect, and the second by far more."""
    parts = MEASURED[MASKED]

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        first, second, pair = np.arange(3 * size, dtype=np.intp).reshape(3, size)
        scores = parts.of_one_word(1) / np.sqrt(2) * random.normal(size=(kinds, 3 * size, 1))
        scores[:, pair] += effect
        scores[:, second] -= FAR
        nothing = np.full(size, NONE)
        members = Members(pair, first, second, nothing, nothing, (), np.zeros(size, dtype=bool))
        found = emergence_of(members, scores, np.arange(kinds), Resampling())
        value = np.maximum(found.above, found.below)
        return found_of(value, np.nan, np.nan, found.p_value, least_p=found.least_p, units=kinds, truth=effect)

    return simulate
