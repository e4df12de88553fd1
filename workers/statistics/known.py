"""Means over what is known: NaN marks what is not."""

import numpy as np
import numpy.typing as npt

from workers.statistics.units import Floats


def mean_of_known(values: Floats, axis: int, chosen: npt.NDArray[np.bool_] | None = None) -> Floats:
    """Mean along an axis over the values that are known (and chosen); NaN where there is none. numpy's would warn."""
    counted = ~np.isnan(values) if chosen is None else ~np.isnan(values) & chosen
    count = counted.sum(axis=axis)
    mean: Floats = np.full(count.shape, np.nan)
    np.divide(np.where(counted, values, 0.0).sum(axis=axis), count, out=mean, where=count > 0)
    return mean
