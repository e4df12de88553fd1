"""The share of pairs that go one way. Pairs of one family are no independent observations."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import special, stats

from workers.statistics.units import Floats

HALF = 0.5
"""The share if neither way is preferred."""


@dataclass(frozen=True, slots=True)
class ShareEstimate:
    """A share with its interval and tests against one half; NaN for no observation."""

    value: float
    low: float
    high: float
    p_value: float
    equivalence_p: float
    least_p: float
    n: int
    n_families: int


def share_estimate(
    values: Floats, families: npt.ArrayLike, *, margin: float = np.nan, level: float = 0.95
) -> ShareEstimate:
    """Estimate the mean of values in [0, 1] (a tie is 0.5), [observations], and test it against one half.

    Both are at n over the design effect of the families. The interval is Wilson's. The tests are the binomial ones,
    which are exact for single pairs: the score test that belongs to the interval rejects 6.4% of true nulls at 24
    pairs. So where p is below 0.05 the interval of level 0.95 leaves out one half, and at few pairs it may do so with a
    p just above. `equivalence_p`: of the two one-sided tests against one half minus and plus the margin. `least_p`: if
    all values are alike. Source: Wilson 1927, "Probable Inference, the Law of Succession, and Statistical Inference";
    Schuirmann 1987.
    """
    n = len(values)
    if n == 0:
        return ShareEstimate(*(np.nan,) * 6, 0, 0)
    share, effective = float(np.mean(values)), n / design_effect(values, families)
    low, high = wilson_limits(share, effective, level)
    hits = share * effective
    return ShareEstimate(
        value=share,
        low=low,
        high=high,
        p_value=min(1.0, 2 * min(_as_many(hits, effective, HALF), _as_few(hits, effective, HALF))),
        equivalence_p=max(_as_many(hits, effective, HALF - margin), _as_few(hits, effective, HALF + margin)),
        least_p=min(1.0, 2 * _as_few(0.0, effective, HALF)),
        n=n,
        n_families=len(np.unique(np.asarray(families))),
    )


def wilson_limits(share: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Return the limits of a share of n observations; n need not be whole. Source: Wilson 1927."""
    z = stats.norm.isf((1 - level) / 2)
    centre = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    reach = z / (1 + z**2 / n) * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return float(max(0.0, centre - reach)), float(min(1.0, centre + reach))


def design_effect(values: Floats, families: npt.ArrayLike) -> float:
    """How many times the variance of the mean is what it were if all observations were independent; at least 1.

    The variance between families over that of single observations. At most what it is where all members of a family
    agree, sum of squared sizes / n: few families estimate the variance badly. If all values are alike, that is assumed.
    Source: Kish 1965, "Survey Sampling", sections 5.4 and 8.2.
    """
    family = np.unique(np.asarray(families), return_inverse=True)[1]
    sizes = np.bincount(family)
    most = float((sizes**2).sum() / len(values))
    off = values - values.mean()
    alone = float((off**2).sum())
    if len(sizes) < 2 or alone == 0.0:
        return most
    together = float((np.bincount(family, weights=off) ** 2).sum())
    # Each variance with its own divisor: few families vary less about their mean than about the true one.
    fewer = (len(sizes) / (len(sizes) - 1)) / (len(values) / (len(values) - 1))
    return float(np.clip(fewer * together / alone, 1.0, most))


def _as_many(hits: float, n: float, share: float) -> float:
    """Return the probability of at least so many hits of n; neither need be whole."""
    return float(special.betainc(hits, n - hits + 1, share))


def _as_few(hits: float, n: float, share: float) -> float:
    """Return the probability of at most so many hits of n; neither need be whole."""
    return float(special.betainc(n - hits, hits + 1, 1 - share))
