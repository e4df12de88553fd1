"""The ratio of two sums over units, such as a mean over tokens that come in texts of different lengths."""

import numpy as np

from workers.statistics.jackknife import Jackknifed, jackknifed
from workers.statistics.units import Floats


def ratio_of_sums(values: Floats, sizes: Floats, *, margin: float = np.nan, level: float = 0.95) -> Jackknifed:
    """Estimate sum(values) / sum(sizes), both [units], with the jackknife's error and Student's t over the units.

    One unit, or units that all have the same ratio, have no interval and no test. Source: Cochran 1977, "Sampling
    Techniques", section 6.17.
    """
    if not len(values):
        return Jackknifed(*(np.nan,) * 5, 0)
    value = float(values.sum() / sizes.sum())
    return jackknifed(value, [ratios_without(values, sizes)], margin=margin, level=level)


def ratios_without(values: Floats, sizes: Floats) -> Floats:
    """Return sum(values) / sum(sizes) without each unit, [units]; NaN where the other sizes sum to 0."""
    others = sizes.sum() - sizes
    found = np.divide(values.sum() - values, others, out=np.full(len(values), np.nan), where=others > 0)
    return np.asarray(found)
