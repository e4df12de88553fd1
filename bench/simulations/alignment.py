"""Agreement with people: how much closer scores are to a group's own ratings than to those of other groups."""

from collections.abc import Iterator
from functools import cache

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
DRAWS = 1000
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


@cache
def reached(groups: int, patterns: Patterns) -> tuple[Floats, Floats]:
    """Correlations of a group's own scores and ratings, and the mean T - T0 that each gives."""
    random, owns = np.random.default_rng(0), np.linspace(0, 0.6, 7)
    means = np.array([np.mean([excess(*tables(random, groups, own, patterns)) for _ in range(DRAWS)]) for own in owns])
    # Over so few groups there is none without a correlation, by symmetry.
    return owns, np.maximum.accumulate(np.where(owns == 0, 0.0, means))


def excess(scores: Floats, ratings: Floats) -> float:
    """T - T0 of tables [groups, columns] without a tie and without a missing cell.

    Only then do all pairs of cells weigh the same, which is ten times as quick as the product's sums.
    """
    groups, cells = len(scores), scores.size
    higher = (table.reshape(-1, 1) > table.reshape(1, -1) for table in (scores, ratings))
    agreeing = np.count_nonzero(np.equal(*higher)) - cells
    observed = 2 * agreeing - cells * (cells - 1)
    (own, others), (own_ratings, other_ratings) = _orders(scores), _orders(ratings)
    # A row gets the ratings of each row as often, and two rows get those of each two other ones as often.
    exchanged = np.sum(own * own_ratings) / groups + np.sum(others * other_ratings) / (groups * (groups - 1))
    return float(observed - exchanged) / (cells * (cells - 1))


def _orders(table: Floats) -> tuple[Floats, Floats]:
    """The orders of two columns, summed over the rows, and over each two different rows, [columns, columns]."""
    own = np.sign(table[:, :, None] - table[:, None]).sum(axis=0)
    return own, np.sign(table[:, :, None, None] - table).sum(axis=(0, 2)) - own


def of_groups(groups: int, patterns: Patterns) -> Simulate:
    """The expectation of T - T0 for so many groups has no closed form: the truth is the mean found."""

    owns, means = reached(groups, patterns)

    def one(own: float, random: np.random.Generator) -> Tested:
        return excess_of(*tables(random, groups, own, patterns), HOW, CORRELATION)

    def simulate(effect: float, random: np.random.Generator, size: int) -> Found:
        own = float(np.interp(effect, means, owns))
        found = [one(own, random) for _ in range(size)]
        limits = [HOW.interval(each.resampled, groups) for each in found]
        tests = [(each.excess, each.p_value, each.equivalence_p) for each in found]
        (low, high), (value, p_value, within) = np.array(limits).T, np.array(tests).T
        truth = float(value.mean()) if effect else 0.0
        return found_of(value, low, high, p_value, within, least_p=found[0].least_p, units=groups, truth=truth)

    return simulate
