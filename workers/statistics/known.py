"""Means over the known values of arrays in which NaN marks unknown ones."""

import numpy as np
import numpy.typing as npt

from workers.statistics.units import Floats


def mean_of_known(values: Floats, axis: int, chosen: npt.NDArray[np.bool_] | None = None) -> Floats:
    """Return the mean along an axis over the known (and chosen) values; NaN if there is none, without a warning."""
    counted = ~np.isnan(values) if chosen is None else ~np.isnan(values) & chosen
    count = counted.sum(axis=axis)
    mean: Floats = np.full(count.shape, np.nan)
    np.divide(np.where(counted, values, 0.0).sum(axis=axis), count, out=mean, where=count > 0)
    return mean
