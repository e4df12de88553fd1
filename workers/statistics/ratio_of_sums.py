"""The ratio of two sums over units, such as a mean over tokens that come in texts of different lengths."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from workers.statistics.rates.few_events import skewed_interval, skewness, t_equivalence
from workers.statistics.units import Floats

ROUNDING = 1e-12
"""A standard error that is nothing but rounding."""


@dataclass(frozen=True, slots=True)
class RatioEstimate:
    """sum(values) / sum(sizes) with its interval, and the tests of its being 0; NaN if they cannot be made."""

    value: float
    low: float
    high: float
    p_value: float
    equivalence_p: float
    n_units: int


def ratio_of_sums(values: Floats, sizes: Floats, *, margin: float = np.nan, level: float = 0.95) -> RatioEstimate:
    """Estimate sum(values) / sum(sizes), both [units], with the jackknife's error and Student's t over the units.

    Interval and tests remove the skewness that a few units with large changes cause (Hall's transformation).
    `equivalence_p` is the larger p of the two one-sided tests against minus and plus the margin. One unit, or units
    that all have the same ratio, have no interval and no test. Source: Cochran 1977, "Sampling Techniques", section
    6.17; Hall 1992; Schuirmann 1987.
    """
    n = len(values)
    if n == 0:
        return RatioEstimate(*(np.nan,) * 5, 0)
    value = float(values.sum() / sizes.sum())
    parts = _deviations(values, sizes, value) if n > 1 else np.zeros(1)
    error = float(np.sqrt((n - 1) / n * (parts**2).sum()))
    if error <= ROUNDING:
        return RatioEstimate(value, *(np.nan,) * 4, n)
    skew = float(skewness(parts))
    low, high = skewed_interval(value, error, n - 1, skew, level)
    return RatioEstimate(
        value=value,
        low=float(low),
        high=float(high),
        p_value=float(2 * stats.t.sf(abs(_transformed(value / error, skew)), n - 1)),
        equivalence_p=float(t_equivalence(value, error, n - 1, margin, skew)),
        n_units=n,
    )


def _deviations(values: Floats, sizes: Floats, value: float) -> Floats:
    """Return how far the ratio falls without each unit, centred: [units]."""
    without = (values.sum() - values) / (sizes.sum() - sizes)
    return np.asarray(without.mean() - without, dtype=np.float64)


def _transformed(z: float, skew: float) -> float:
    return z + skew * z**2 / 3 + skew**2 * z**3 / 27 + skew / 6
