"""The few principal directions in which members of a set differ."""

import numpy as np

from workers.statistics.units import Floats


def leading_components(values: Floats, *, share: float = 0.95, most: int = 10) -> Floats:
    """Return the scores [members, k] on the first principal components of the columns of values [members, columns].

    k is the number of components that cover `share` of the variance, at most `most`, and 0 if no column varies. The
    columns are centred and not scaled, because they have one unit. Raises ValueError if a value is not finite.
    Source: Jolliffe 2002, "Principal Component Analysis", section 6.1.1 (the share of variance as the rule).
    """
    if not np.isfinite(values).all():
        raise ValueError("principal components need a finite value of every member.")
    centred = values - values.mean(axis=0) if len(values) else values
    left, singular, _ = np.linalg.svd(centred, full_matrices=False)
    variances = singular**2
    rounding = len(values) * (np.finfo(float).eps * float(np.abs(values).max(initial=1.0))) ** 2
    if not variances.size or variances[0] <= rounding:
        return np.empty((len(values), 0))
    enough = int(np.searchsorted(np.cumsum(variances) / variances.sum(), share - 1e-12)) + 1
    kept = min(enough, most)
    return np.asarray(left[:, :kept] * singular[:kept])
