"""Whether a tokenizer splits the words of one group more than those of another, and rarer words more.

The families of the q-values are two: whether groups differ, in frequency and with each tokenizer; and whether frequency
goes with splitting, with each tokenizer.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

WHOLLY = 1 - 1e-12
LEAST_LOG_P = -700.0
"""Smaller chances are told as this one, for a float would make them zero."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Kruskal-Wallis over groups: epsilon squared (0: none, 1: groups tell all) and p, corrected for ties.

    Source: Kruskal and Wallis 1952, "Use of Ranks in One-Criterion Variance Analysis", JASA 47; the effect size is
    H / (n - 1): Tomczak and Tomczak 2014, "The need to report effect size estimates revisited".
    """

    epsilon_squared: float
    p_value: float
    n: int


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rank correlation of two figures of n words, ties given mean ranks, with its 95% interval and p.

    The interval is Fisher's with the variance (1 + rho^2 / 2) / (n - 3): Bonett and Wright 2000, "Sample size
    requirements for estimating Pearson, Kendall and Spearman correlations", Psychometrika 65. p is that of Student's t
    with n - 2 degrees of freedom. Where the ranks agree wholly there is no interval, and p is `p_of_agreement`.
    """

    rho: float
    ci_low: float | None
    ci_high: float | None
    p_value: float
    n: int


def mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """The 95% t interval of the mean over words; None below two words, and where all are alike: it has no width."""
    if len(set(values)) < 2:
        return None
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    return float(low), float(high)


def compare(figures: Mapping[str, Sequence[float]], fewest: int) -> Difference | None:
    """Test whether groups differ; None where fewer than two of them have `fewest` words."""
    enough = [own for own in figures.values() if len(own) >= fewest]
    if len(enough) < 2:
        return None
    n = sum(map(len, enough))
    if len({one for own in enough for one in own}) == 1:
        return Difference(0.0, 1.0, n)  # all alike: the ranks say nothing, and the formula divides by zero
    h, p = stats.kruskal(*enough)
    return Difference(float(h) / (n - 1), float(p), n)


def correlate(one: Sequence[float], other: Sequence[float], fewest: int) -> Correlation | None:
    """Whether two figures of the same words rise together; None below `fewest` words, or where one is constant."""
    n = len(one)
    if n < fewest or len(set(one)) == 1 or len(set(other)) == 1:
        return None
    rho, p = map(float, stats.spearmanr(one, other))
    low = high = None
    if abs(rho) >= WHOLLY:
        p = p_of_agreement(one)
    else:
        reach = float(stats.norm.isf(0.025)) * math.sqrt((1 + rho**2 / 2) / (n - 3))
        low, high = math.tanh(math.atanh(rho) - reach), math.tanh(math.atanh(rho) + reach)
    return Correlation(rho, low, high, p, n)


def p_of_agreement(values: Sequence[float]) -> float:
    """How likely a random order of these values has ranks that agree wholly with theirs, or with their reverse.

    Of the n! orders prod(t_i!) look alike, t_i values being equal. As many are the reverse, where the sizes of the ties
    read the same from both ends; elsewhere no order has a correlation of the other sign and 1.
    """
    counts = Counter(values)
    ties = [counts[value] for value in sorted(counts)]
    ways = 2 if ties == ties[::-1] else 1
    log_p = math.log(ways) + sum(math.lgamma(t + 1) for t in ties) - math.lgamma(len(values) + 1)
    return math.exp(max(log_p, LEAST_LOG_P))
