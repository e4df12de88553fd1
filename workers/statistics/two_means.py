"""The difference of the means of two independent sets: Welch's interval, and the test against a margin."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from workers.statistics.intervals import has_width
from workers.statistics.units import Floats


@dataclass(frozen=True, slots=True)
class MeanDifference:
    """Mean of x minus mean of y, arrays [cells]. NaN if a set has fewer than two values, or all are alike."""

    value: Floats
    ci_low: Floats
    ci_high: Floats
    equivalence_p: Floats
    """The larger p of two one-sided t tests of |difference| < margin; NaN without a margin."""


def difference_of_means(x: Floats, y: Floats, *, margin: float = np.nan, level: float = 0.95) -> MeanDifference:
    """Estimate the difference of the means of x [cells, n] and y [cells, m], values without NaN.

    Source: Welch 1947, "The Generalization of 'Student's' Problem when Several Different Population Variances are
    Involved", Biometrika 34.
    """
    value = x.mean(axis=1) - y.mean(axis=1)
    if min(x.shape[1], y.shape[1]) < 2:
        return MeanDifference(value, *np.full((3, len(x)), np.nan))
    error, degrees = _error(x, y)
    reach = stats.t.isf((1 - level) / 2, degrees) * error
    none = ~has_width(value - reach, value + reach)
    with np.errstate(divide="ignore", invalid="ignore"):
        within = stats.t.sf((margin - np.abs(value)) / error, degrees)
    limits = (value - reach, value + reach, within)
    return MeanDifference(value, *(np.where(none, np.nan, one) for one in limits))


def _error(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """The standard error, and its degrees of freedom (Satterthwaite)."""
    of_x, of_y = (side.var(axis=1, ddof=1) / side.shape[1] for side in (x, y))
    variance = of_x + of_y
    spread = of_x**2 / (x.shape[1] - 1) + of_y**2 / (y.shape[1] - 1)
    degrees = np.full(len(x), 1.0)
    np.divide(variance**2, spread, out=degrees, where=spread > 0)
    return np.asarray(np.sqrt(variance)), degrees
