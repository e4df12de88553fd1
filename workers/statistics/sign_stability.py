"""Stability of the sign of a correlation between wordings."""

import numpy as np
import numpy.typing as npt

from workers.statistics.units import Floats

AT_ONCE = 1 << 22
"""Maximum number of covariances in memory at a time."""
CONSTANT = 1e-6
"""A float32 column whose deviations are below this share of its largest value is constant."""


def sign_stability(x: npt.NDArray[np.float32], y: npt.NDArray[np.float32], sign_of: Floats) -> Floats:
    """Return the share of pairs of wordings whose covariance has the sign of `sign_of`, [targets, features].

    x [wordings, names, targets] and y [wordings, names, features] are scores of the same names in each wording of
    either side. A covariance has the sign of its correlation. That of a constant column has no sign and counts as
    disagreement. NaN if `sign_of` is NaN or 0. The cost is one multiplication and addition per pair of wordings,
    name, target and feature; at most `AT_ONCE` covariances are in memory at a time.
    """
    one, other = _centred(x), _centred(y)
    wanted = np.sign(sign_of)
    agree = np.zeros(sign_of.shape, dtype=np.int32)
    step = max(1, AT_ONCE // max(1, len(x) * x.shape[2]))
    stacked = one.transpose(0, 2, 1).reshape(-1, x.shape[1])  # [wordings x targets, names]
    for wording in other:
        for start in range(0, y.shape[2], step):
            some = slice(start, start + step)
            signs = np.sign(stacked @ wording[:, some]).reshape(len(x), x.shape[2], -1)
            agree[:, some] += (signs == wanted[None, :, some]).sum(axis=0, dtype=np.int32)
    with np.errstate(invalid="ignore"):
        return np.where(np.nan_to_num(wanted) == 0, np.nan, agree / (len(x) * len(y)))


def _centred(values: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return the values centred over the names; 0 in a constant column."""
    centred = values - values.mean(axis=1, keepdims=True)
    largest = np.abs(values).max(axis=1, keepdims=True, initial=0)
    varies = np.abs(centred).max(axis=1, keepdims=True, initial=0) > CONSTANT * largest
    return np.asarray(np.where(varies, centred, 0), dtype=np.float32)
