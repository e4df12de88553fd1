"""Whether a tokenizer splits the words of one part of a list more than those of another."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

FEWEST = 5
"""Parts with fewer words are left out of the test, whose p-value would be far off."""
SIGNIFICANT_Q = 0.05


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


def compare(subwords: Mapping[str, Sequence[int]]) -> Difference | None:
    """Test whether the parts differ; None where fewer than two of them have enough words."""
    from scipy import stats

    enough = [counts for counts in subwords.values() if len(counts) >= FEWEST]
    if len(enough) < 2:
        return None
    n = sum(map(len, enough))
    if len({one for counts in enough for one in counts}) == 1:
        return Difference(0.0, 1.0, n)  # all alike: the ranks say nothing, and the formula divides by zero
    h, p = stats.kruskal(*enough)
    return Difference(float(h) / (n - 1), float(p), n)


def q_values(p: Sequence[float]) -> list[float]:
    """False discovery rate over these tests.

    Source: Benjamini and Hochberg 1995, "Controlling the False Discovery Rate", JRSS B 57.
    """
    from scipy import stats

    return [float(q) for q in stats.false_discovery_control(p, method="bh")] if p else []
