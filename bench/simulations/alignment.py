"""Agreement with people: how much closer scores are to a group's own ratings than to those of other groups."""

from collections.abc import Iterator

import numpy as np
from scipy import stats

from bench.simulations.measured import CAUSAL, MASKED, OF_RATINGS, PATTERNS, Patterns
from bench.simulations.outcomes import Found, found_of
from bench.simulations.scenarios import CORRELATION, Scenario, Simulate, Simulated
from workers.analyses.alignment.excess import Tested, excess_of
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats

PAIRS = 16
HOW = Resampling(resamples=100, permutations=99)
"""Fewer than a plan has, which changes no error rate: p counts the observed order among them."""
SHARED = stats.norm.ppf((np.arange(PAIRS) + 0.5) / PAIRS)
SHARED /= SHARED.std()
OTHER = SHARED[np.random.default_rng(0).permutation(PAIRS)]
"""What all groups share on each pair. It is the same in all simulations, because the pairs are fixed: an interval is of
other groups on these pairs."""
WIDENED = "conservative: percentiles are widened for few groups"


def scenarios() -> Iterator[Simulated]:
    for reference, groups in ((MASKED, 7), (CAUSAL, 12)):
        told = f"{reference.removeprefix('bundled:')}, {groups} groups, {PAIRS} pairs of opposites"
        simulate = of_groups(groups, PATTERNS[reference])
        yield Scenario("alignment", "agreement with people, T - T0", told, simulate, CORRELATION, WIDENED)


def tables(random: np.random.Generator, groups: int, own: float, patterns: Patterns) -> tuple[Floats, Floats]:
    """Scores and ratings [groups, pairs]: a shared pattern of each, and one of each group that correlates by `own`."""
    ratings, other = random.normal(size=(2, groups, PAIRS))
    shared = patterns.likeness * SHARED + np.sqrt(1 - patterns.likeness**2) * OTHER
    scores = own * ratings + np.sqrt(1 - own**2) * other
    return scores + patterns.of_scores * shared, ratings + OF_RATINGS * SHARED


def of_groups(groups: int, patterns: Patterns) -> Simulate:
    """The truth is the expectation of T - T0 for so many groups, which has no closed form: the mean found."""

    # About what T - T0 grows by with the correlation of a group's own scores and ratings.
    slope = 2 / np.pi / np.hypot(1, patterns.of_scores) / np.hypot(1, OF_RATINGS)

    def one(own: float, random: np.random.Generator) -> Tested:
        return excess_of(*tables(random, groups, own, patterns), HOW, CORRELATION)

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        found = [one(effect / slope, random) for _ in range(size)]
        limits = [HOW.interval(each.resampled, groups) for each in found]
        tests = [(each.excess, each.p_value, each.equivalence_p) for each in found]
        (low, high), (value, p_value, within) = np.array(limits).T, np.array(tests).T
        truth = float(value.mean()) if effect else 0.0
        return found_of(value, low, high, p_value, within, least_p=found[0].least_p, units=groups, truth=truth)

    return simulate
