"""Shares above zero, medians, and the probability that a value of one set exceeds one of another."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from workers.statistics.intervals import expanded_tail, has_width
from workers.statistics.permutation_tests.set_permutations import permute_sets
from workers.statistics.rates.rate_intervals import exact_limits
from workers.statistics.units import Floats

FEWEST = 2
"""Minimum number of values in each set for an interval."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """An estimate with its interval and p; NaN is undefined."""

    value: float
    ci_low: float
    ci_high: float
    p_value: float


def share_above_zero(values: Floats, level: float) -> Estimate:
    """Return the share of values [n] above 0, with Wilson's interval and the two-sided sign test against one half.

    A value of exactly 0 does not count as above; the sign test ignores it. Raises ValueError for no values.
    Source: Wilson 1927, "Probable Inference, the Law of Succession, and Statistical Inference".
    """
    above, below = int((values > 0).sum()), int((values < 0).sum())
    interval = stats.binomtest(above, len(values)).proportion_ci(level, method="wilson")
    p = stats.binomtest(above, above + below).pvalue if above + below else np.nan
    return Estimate(above / len(values), float(interval.low), float(interval.high), float(p))


def median(values: Floats, level: float) -> Estimate:
    """Return the median of values [n], its interval by order statistics, and the sign test against 0.

    The limits are NaN if there are too few values for the level.
    Source: Conover 1999, "Practical Nonparametric Statistics", 3.2.
    """
    test = stats.quantile_test(values, q=0.0, p=0.5)
    interval = test.confidence_interval(level)
    return Estimate(
        float(np.median(values)), float(interval.low), float(interval.high), share_above_zero(values, level).p_value
    )


def superiority(x: Floats, y: Floats, *, seed: int, draws: int, resamples: int, level: float) -> Estimate:
    """Return the probability that a value of x [n] exceeds one of y [m], over all pairs with ties as half.

    0.5 means equal.
    A constant added to both sets changes nothing. p permutes ranks between the sets (Wilcoxon 1945), see
    `permute_sets`. The interval is a bootstrap of both sets with percentiles expanded for the smaller one, or
    `exact_limits` if all resamples are equal. Raises ValueError for an empty set.
    """
    wins = (np.sign(x[:, None] - y[None, :]) + 1) / 2
    ranks = stats.rankdata(np.concatenate([x, y]))
    p = permute_sets(ranks[: len(x)], ranks[len(x) :], seed=seed, draws=draws).p_value
    low, high = np.nan, np.nan
    if min(wins.shape) >= FEWEST:
        generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(5, *wins.shape)))
        drawn = [generator.multinomial(size, np.full(size, 1 / size), size=resamples) for size in wins.shape]
        shares = ((drawn[0] @ wins) * drawn[1]).sum(axis=1) / wins.size
        tail = expanded_tail(min(wins.shape), level)
        low, high = np.quantile(shares, [tail, 1 - tail])
        if not has_width(low, high):
            low, high = map(float, exact_limits(wins.mean(), min(wins.shape), level))
    return Estimate(float(wins.mean()), float(low), float(high), p)
