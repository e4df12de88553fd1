"""Whether a tokenizer splits the words of one part of a list more than those of another, and the rarer ones more."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

FEWEST = 5
"""Parts with fewer words are left out of the test, whose p-value would be far off."""
FEWEST_PAIRS = 10
"""A rank correlation of fewer words would have hardly any reach."""
SIGNIFICANT_Q = 0.05
WHOLLY = 1 - 1e-12
LEAST_LOG_P = -700.0
"""Smaller chances are told as this one, for a float would make them zero."""


@dataclass(frozen=True, slots=True)
class Part:
    """The words of one part: how many, mean subwords with its 95% t interval over words, how many are one token.

    The interval is missing below two words.
    """

    name: str
    n: int
    mean: float
    ci_low: float | None
    ci_high: float | None
    single: int

    @property
    def single_share(self) -> float:
        return self.single / self.n


@dataclass(frozen=True, slots=True)
class Difference:
    """Kruskal-Wallis over the parts: epsilon squared (0: none, 1: the parts tell all) and p, corrected for ties.

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


def describe(name: str, subwords: Sequence[int]) -> Part:
    """One part, of at least one word."""
    # Imported when it is needed: SciPy would slow down the start of every command.
    from scipy import stats

    n = len(subwords)
    mean = sum(subwords) / n
    low = high = None
    if n > 1:
        error = math.sqrt(sum((one - mean) ** 2 for one in subwords) / (n - 1) / n)
        reach = float(stats.t.isf(0.025, n - 1)) * error
        low, high = mean - reach, mean + reach
    return Part(name, n, mean, low, high, sum(one == 1 for one in subwords))


def compare(figures: Mapping[str, Sequence[float]]) -> Difference | None:
    """Test whether the parts differ; None where fewer than two of them have enough words."""
    from scipy import stats

    enough = [own for own in figures.values() if len(own) >= FEWEST]
    if len(enough) < 2:
        return None
    n = sum(map(len, enough))
    if len({one for own in enough for one in own}) == 1:
        return Difference(0.0, 1.0, n)  # all alike: the ranks say nothing, and the formula divides by zero
    h, p = stats.kruskal(*enough)
    return Difference(float(h) / (n - 1), float(p), n)


def correlate(one: Sequence[float], other: Sequence[float]) -> Correlation | None:
    """Whether two figures of the same words rise together; None below FEWEST_PAIRS words, or where one is constant."""
    from scipy import stats

    n = len(one)
    if n < FEWEST_PAIRS or len(set(one)) == 1 or len(set(other)) == 1:
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


def q_values(p: Sequence[float]) -> list[float]:
    """False discovery rate over these tests.

    Source: Benjamini and Hochberg 1995, "Controlling the False Discovery Rate", JRSS B 57.
    """
    from scipy import stats

    return [float(q) for q in stats.false_discovery_control(p, method="bh")] if p else []
