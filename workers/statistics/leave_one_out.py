"""Between which values a mean lies when any one unit is left out."""

import numpy as np

from workers.statistics.units import Floats


def leave_one_out(values: Floats) -> tuple[Floats, Floats]:
    """The least and the greatest mean over all units but one of values [cells, units]: (low [cells], high [cells]).

    NaN values are left out; NaN for a cell of fewer than two.
    """
    known = ~np.isnan(values)
    count = known.sum(axis=1, keepdims=True)
    total = np.where(known, values, 0.0).sum(axis=1, keepdims=True)
    without = np.full(values.shape, np.nan)
    np.divide(total - values, count - 1, out=without, where=known & (count > 1))
    return np.asarray(np.fmin.reduce(without, axis=1)), np.asarray(np.fmax.reduce(without, axis=1))
