"""Agreement with people: how much closer scores are to a group's own ratings than to those of other groups."""

from collections.abc import Iterator

import numpy as np
from scipy import stats

from bench.simulations.outcomes import Found, found_of
from bench.simulations.scenarios import CORRELATION, Scenario, Simulate, Simulated
from workers.analyses.alignment.excess import Tested, excess_of
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats

PAIRS = 16
HOW = Resampling(resamples=200, permutations=99)
"""Fewer than a plan has, which changes no error rate: p counts the observed order among them."""
SHARED = stats.norm.ppf((np.arange(PAIRS) + 0.5) / PAIRS)
"""What all groups share on each pair, against a deviation of 1 of a group's own: scores have it turned round. It is the
same in all simulations, because the pairs are fixed: an interval is of other groups on these pairs."""
SLOPE = 1 / 3
"""About what T - T0 grows by with the correlation of a group's own scores and ratings."""
WIDENED = "conservative: percentiles are widened for few groups"


def scenarios() -> Iterator[Simulated]:
    for groups in (7, 12):
        told = f"{groups} groups, {PAIRS} pairs of opposites"
        yield Scenario("alignment", "agreement with people, T - T0", told, of_groups(groups), CORRELATION, WIDENED)


def tables(random: np.random.Generator, groups: int, own: float) -> tuple[Floats, Floats]:
    """Scores and ratings [groups, pairs]: an opposed shared pattern, and one of each group that correlates by `own`."""
    ratings, other = random.normal(size=(2, groups, PAIRS))
    return own * ratings + np.sqrt(1 - own**2) * other - SHARED, ratings + SHARED


def of_groups(groups: int) -> Simulate:
    """The truth is the expectation of T - T0 for so many groups, which has no closed form: the mean found."""

    def one(own: float, random: np.random.Generator) -> Tested:
        return excess_of(*tables(random, groups, own), HOW, CORRELATION)

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        found = [one(effect / SLOPE, random) for _ in range(size)]
        limits = [HOW.interval(each.resampled, groups) for each in found]
        tests = [(each.excess, each.p_value, each.equivalence_p) for each in found]
        (low, high), (value, p_value, within) = np.array(limits).T, np.array(tests).T
        truth = float(value.mean()) if effect else 0.0
        return found_of(value, low, high, p_value, within, least_p=found[0].least_p, units=groups, truth=truth)

    return simulate
