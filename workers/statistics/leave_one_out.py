"""The range of a mean when any one unit is left out."""

import numpy as np

from workers.statistics.units import Floats


def leave_one_out(values: Floats) -> tuple[Floats, Floats]:
    """Return the lowest and highest mean of values [cells, units] over all units but one: (low [cells], high [cells]).

    NaN values are ignored. The result is NaN for a cell with fewer than two values.
    """
    known = ~np.isnan(values)
    count = known.sum(axis=1, keepdims=True)
    total = np.where(known, values, 0.0).sum(axis=1, keepdims=True)
    without = np.full(values.shape, np.nan)
    np.divide(total - values, count - 1, out=without, where=known & (count > 1))
    return np.asarray(np.fmin.reduce(without, axis=1)), np.asarray(np.fmax.reduce(without, axis=1))
