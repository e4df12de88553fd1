"""Tests of whether a tokenizer splits words of some groups, or rarer words, into more subwords.

There are two families of q-values: differences between groups in frequency and in splitting by each tokenizer, and
correlations of frequency with splitting by each tokenizer.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

WHOLLY = 1 - 1e-12
LEAST_LOG_P = -700.0
"""Smaller probabilities are replaced by this one, because exp() would underflow to zero."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Kruskal-Wallis test over groups: epsilon squared (0: no effect, 1: groups explain all) and p, corrected for ties.

    The effect size is H / (n - 1).
    Source: Kruskal and Wallis 1952, "Use of Ranks in One-Criterion Variance Analysis", JASA 47; Tomczak and Tomczak
    2014, "The need to report effect size estimates revisited".
    """

    epsilon_squared: float
    p_value: float
    n: int


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rank correlation of two figures of n words, with mean ranks for ties, its 95% interval and p.

    The interval is Fisher's with the variance (1 + rho^2 / 2) / (n - 3): Bonett and Wright 2000, "Sample size
    requirements for estimating Pearson, Kendall and Spearman correlations", Psychometrika 65. p is that of Student's t
    with n - 2 degrees of freedom. If |rho| is 1, there is no interval, and p is `p_of_agreement`.
    """

    rho: float
    ci_low: float | None
    ci_high: float | None
    p_value: float
    n: int


def mean_interval(values: Sequence[float]) -> tuple[float, float] | None:
    """Return the 95% t interval of the mean over words; None below two different values."""
    if len(set(values)) < 2:
        return None
    low, high = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    return float(low), float(high)


def compare(figures: Mapping[str, Sequence[float]], fewest: int) -> Difference | None:
    """Test whether groups differ; None if fewer than two of them have `fewest` words."""
    enough = [own for own in figures.values() if len(own) >= fewest]
    if len(enough) < 2:
        return None
    n = sum(map(len, enough))
    if len({one for own in enough for one in own}) == 1:
        return Difference(0.0, 1.0, n)  # all values are equal, and the formula would divide by zero
    h, p = stats.kruskal(*enough)
    return Difference(float(h) / (n - 1), float(p), n)


def correlate(one: Sequence[float], other: Sequence[float], fewest: int) -> Correlation | None:
    """Return the rank correlation of two figures of the same words.

    None below `fewest` words or for a constant figure.
    """
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
    """Return the probability that a random order of these values has |rho| = 1 with them.

    Of the n! orders, prod(t_i!) are identical, where t_i is the number of equal values. The reverse order has rho = -1,
    and doubles the probability, only if the sizes of the ties are the same from both ends.
    """
    counts = Counter(values)
    ties = [counts[value] for value in sorted(counts)]
    ways = 2 if ties == ties[::-1] else 1
    log_p = math.log(ways) + sum(math.lgamma(t + 1) for t in ties) - math.lgamma(len(values) + 1)
    return math.exp(max(log_p, LEAST_LOG_P))
