"""Figures over pairs of groups, whose component groups are the units: identity order and dominance of domains."""

from collections.abc import Iterator

import numpy as np

from bench.simulations.outcomes import Found, found_of
from bench.simulations.scenarios import CORRELATION, Scenario, Simulate, Simulated
from workers.statistics.crossed import Crossed, CrossedEstimate, crossed_mean
from workers.statistics.resampling import Resampling

HOW = Resampling(resamples=300, permutations=199)
GROUP, PAIR = 0.1, 0.15
"""Deviations of a difference of taus: between component groups of a side, and between pairs."""
EITHER = "conservative: the larger p of two sides, and resamples of both sides"


def scenarios() -> Iterator[Simulated]:
    for first, second in ((7, 10), (14, 8)):
        told = f"domains of {first} and {second} groups, all pairs"
        yield Scenario("intersections", "dominance of a domain", told, of_domains(first, second), CORRELATION, EITHER)


def of_domains(first: int, second: int) -> Simulate:
    ones, others = np.divmod(np.arange(first * second), second)
    strata = np.repeat(np.array([0, 1]), [first, second])
    pairs = Crossed(ones, first + others, strata)

    def one(effect: float, random: np.random.Generator) -> CrossedEstimate:
        of_first, of_second = GROUP * random.normal(size=first), GROUP * random.normal(size=second)
        values = effect + of_first[ones] + of_second[others] + PAIR * random.normal(size=len(ones))
        return crossed_mean(values, pairs, HOW, test=True)

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        found = [one(effect, random) for _ in range(size)]
        numbers = [(each.value, each.ci_low, each.ci_high, each.p_value) for each in found]
        return found_of(*np.array(numbers).T, units=min(first, second), truth=effect)

    return simulate
