"""The test that a correlation is smaller than a margin, from its bootstrap."""

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.units import Floats

ALMOST_ONE = 0.999
"""Larger correlations are clipped, because Fisher's z would be infinite or undefined; an excess may exceed 1."""


def equivalence_p(value: float, resampled: Floats, margin: float, units: int) -> float:
    """Return the larger p of two one-sided t tests of |value| < margin on Fisher's scale; NaN without margin or error.

    The standard error is that of the `resampled` values [resamples], NaN if undefined; the degrees of freedom are
    units - 1. Source: METHODS 1a (ours).
    """
    known = resampled[~np.isnan(resampled)]
    error = _fisher(known).std(ddof=1) if known.size > 1 else np.nan
    if np.isnan(margin) or not error > 0:
        return float("nan")
    return float(stats.t.sf((_fisher(margin) - _fisher(abs(value))) / error, units - 1))


def _fisher(correlations: npt.ArrayLike) -> Floats:
    return np.asarray(np.arctanh(np.clip(correlations, -ALMOST_ONE, ALMOST_ONE)))
