"""Scores between -1 and 1 of units of which few have an event, and their tests against a margin.

With fewer than five events (answers on one side), a bootstrap is unreliable; without any, its interval has no width. A
score is at most as far from 0 as the share of units with an event, which has exact limits.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.units import Floats

FEWEST_EVENTS = 5
"""With fewer units with an event, the limits are those of the share of such units."""
NO_SKEW = 1e-6


@dataclass(frozen=True)
class Sparse:
    """Which scores rest on too few events, the limit of their size, and the p that it is below the margin, [cells]."""

    few: npt.NDArray[np.bool_]
    limit: Floats
    equivalence_p: Floats


def sparse(score: npt.ArrayLike, events: npt.ArrayLike, units: npt.ArrayLike, margin: float, level: float) -> Sparse:
    """Return the limit of |score| from the share of units with an event: Clopper and Pearson's upper limit.

    With no event in n units the limit is 1 - (1 - level)^(1/n), and the p against the margin is (1 - margin)^n. With a
    margin of 0.05, p is below 0.05 from 59 units on. Units of unequal size can have a score above their share; the
    limit is then the score and p is 1.
    Source: METHODS 1a (ours), on Clopper and Pearson 1934.
    """
    size, k, n = np.abs(np.asarray(score, np.float64)), np.asarray(events), np.asarray(units)
    limit = np.where(k < n, stats.beta.ppf(level, k + 1, np.maximum(n - k, 1)), 1.0)
    p = np.where(size < margin, stats.binom.cdf(k, n, np.nan_to_num(margin)), 1.0)
    return Sparse(k < FEWEST_EVENTS, np.maximum(limit, size), np.where(np.isnan(margin), np.nan, p))


def t_equivalence(
    score: npt.ArrayLike, error: npt.ArrayLike, degrees: npt.ArrayLike, margin: float, skew: npt.ArrayLike
) -> Floats:
    """Return the larger p of two one-sided t tests that a score is above -margin and below +margin.

    NaN without a margin.
    `skew` is the skewness of the score (see `skewness`), which Hall's transformation removes. If a bias sits in a
    few templates, the plain test finds a score at the margin to be below it in up to 13% of cases instead of 5%.
    Source: Schuirmann 1987, "A Comparison of the Two One-Sided Tests Procedure and the Power Approach", section 2; Hall
    1992, "On the Removal of Skewness by Transformation", JRSS B 54.
    """
    value, width, lean = np.asarray(score, np.float64), np.asarray(error, np.float64), np.asarray(skew, np.float64)
    ends = []
    with np.errstate(divide="ignore", invalid="ignore"):
        for sign in (1, -1):
            z, k = (sign * value - margin) / width, sign * lean
            ends.append(stats.t.cdf(z + k * z**2 / 3 + k**2 * z**3 / 27 + k / 6, degrees))
    certain = np.where(np.isnan(margin), np.nan, np.abs(value) >= margin)
    return np.asarray(np.where(width == 0, certain, np.maximum(*ends)), dtype=np.float64)


def skewed_interval(
    score: npt.ArrayLike, error: npt.ArrayLike, degrees: npt.ArrayLike, skew: npt.ArrayLike, level: float
) -> tuple[Floats, Floats]:
    """Return the limits at which a t test after Hall's transformation would just reject. See `t_equivalence`.

    Source: Hall 1992, "On the Removal of Skewness by Transformation", JRSS B 54.
    """
    value, width, lean = np.asarray(score, np.float64), np.asarray(error, np.float64), np.asarray(skew, np.float64)
    t = stats.t.isf((1 - level) / 2, degrees)
    return value - width * _untransformed(t, lean), value - width * _untransformed(-t, lean)


def _untransformed(t: Floats, skew: Floats) -> Floats:
    """Invert Hall's transformation t = z + k z^2/3 + k^2 z^3/27 + k/6, and return z."""
    steep = np.abs(skew) > NO_SKEW
    k = np.where(steep, skew, 1.0)
    return np.asarray(np.where(steep, 3 * (np.cbrt(1 + k * (t - k / 6)) - 1) / k, t))


def skewness(parts: npt.ArrayLike) -> Floats:
    """Return the skewness of a sum from each unit's deviation from its expectation [..., units]; 0 without variance."""
    added = np.asarray(parts, dtype=np.float64)
    scale = (added**2).sum(axis=-1) ** 1.5
    found = np.divide((added**3).sum(axis=-1), scale, out=np.zeros(np.shape(scale)), where=scale > 0)
    return np.asarray(found, dtype=np.float64)
