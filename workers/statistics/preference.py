"""How often values lie above zero, where their middle lies, and how often they exceed those of another set."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from workers.statistics.intervals import expanded_tail, has_width
from workers.statistics.permutation_tests.set_permutations import permute_sets
from workers.statistics.rates.rate_intervals import exact_limits
from workers.statistics.units import Floats

FEWEST = 2
"""Values of each set from which on an interval is told."""


@dataclass(frozen=True, slots=True)
class Told:
    """A value with its interval and p; NaN is undefined."""

    value: float
    ci_low: float
    ci_high: float
    p_value: float


def share_above_zero(values: Floats, level: float) -> Told:
    """The share of values [n] above 0, Wilson's interval, and the two-sided sign test against one half.

    A value of exactly 0 is not above; the sign test leaves it out. Raises ValueError for no values.
    Source: Wilson 1927, "Probable Inference, the Law of Succession, and Statistical Inference".
    """
    above, below = int((values > 0).sum()), int((values < 0).sum())
    interval = stats.binomtest(above, len(values)).proportion_ci(level, method="wilson")
    p = stats.binomtest(above, above + below).pvalue if above + below else np.nan
    return Told(above / len(values), float(interval.low), float(interval.high), float(p))


def median(values: Floats, level: float) -> Told:
    """The median of values [n], its interval by order statistics, and the sign test against 0.

    Too few values for the level leave bounds NaN. Source: Conover 1999, "Practical Nonparametric Statistics", 3.2.
    """
    test = stats.quantile_test(values, q=0.0, p=0.5)
    interval = test.confidence_interval(level)
    return Told(
        float(np.median(values)), float(interval.low), float(interval.high), share_above_zero(values, level).p_value
    )


def superiority(x: Floats, y: Floats, *, seed: int, draws: int, resamples: int, level: float) -> Told:
    """How often a value of x [n] exceeds one of y [m], over all pairs, ties as half: 0.5 where both lie alike.

    A constant that is added to both sets changes nothing. p: permutation of ranks between the sets (Wilcoxon 1945), as
    `permute_sets`; interval: bootstrap of both sets, percentiles expanded for the smaller one, or `exact_limits` where
    all resamples agree. Raises ValueError for an empty set.
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
    return Told(float(wins.mean()), float(low), float(high), p)
