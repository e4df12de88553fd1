"""Pearson's r over clustered pairs of numbers, with an interval that resamples clusters."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from workers.statistics.correlations.bridge_correlations import fisher_z
from workers.statistics.intervals import expanded_tail, times_drawn
from workers.statistics.units import Floats

FEWEST = 4
CONSTANT = 1e-12
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Correlation:
    """A correlation with its interval and tests; NaN below four clusters or if one side is constant."""

    value: float
    low: float
    high: float
    p_value: float
    equivalence_p: float
    pairs: int
    clusters: int


def clustered_correlation(
    x: Floats, y: Floats, *, seed: int, resamples: int, level: float, margin: float = np.nan
) -> Correlation:
    """Return r over all pairs of x and y [clusters, pairs] with both numbers; clusters without such a pair are ignored.

    `p_value` is two-sided. With one pair per cluster it is Student's t test of r. Otherwise it tests Fisher's z by its
    standard deviation over the resamples, with clusters - 1 degrees of freedom. `equivalence_p` tests |r| < margin on
    the same scale. The interval is the expanded percentile interval.
    Source: Davison and Hinkley 1997, section 3.8 (clusters); Schuirmann 1987 (equivalence).
    """
    both = ~(np.isnan(x) | np.isnan(y))
    there = both.any(axis=1)
    x, y, both = x[there], y[there], both[there]
    clusters, pairs = len(x), int(both.sum())
    nothing = Correlation(*(np.nan,) * 5, pairs, clusters)
    if clusters < FEWEST:
        return nothing
    sums = _sums(x, y, both)
    value = float(_r(sums.sum(axis=0)[None])[0])
    if np.isnan(value):
        return nothing
    drawn = _r(times_drawn(clusters, resamples, seed).T @ sums)
    tail = expanded_tail(clusters, level)
    known = drawn[~np.isnan(drawn)]
    if known.size <= resamples / 2:
        return replace(nothing, value=value)
    low, high = np.quantile(known, [tail, 1 - tail])
    z, of_margin, spread = float(fisher_z(value)), float(fisher_z(margin)), max(float(fisher_z(known).std()), ROUNDING)
    p_value = _student(value, pairs) if pairs == clusters else 2 * stats.t.sf(abs(z) / spread, clusters - 1)
    within = stats.t.sf((of_margin - abs(z)) / spread, clusters - 1)
    return Correlation(value, float(low), float(high), float(p_value), float(within), pairs, clusters)


def _sums(x: Floats, y: Floats, both: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Floats:
    """Return [clusters, 6]: n and the sums of x, y, x^2, y^2 and xy, standardised first to keep precision."""
    x, y = (np.where(both, (one - one[both].mean()) / (one[both].std() or 1.0), 0.0) for one in (x, y))
    return np.stack([both.sum(axis=1), *(one.sum(axis=1) for one in (x, y, x * x, y * y, x * y))], axis=1)


def _r(sums: Floats) -> Floats:
    """Return r of each row of the sums that `_sums` returns, or of their totals; NaN if a side is constant."""
    n, x, y, xx, yy, xy = sums.T
    variances = [square / n - (one / n) ** 2 for one, square in ((x, xx), (y, yy))]
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (xy / n - x * y / n**2) / np.sqrt(variances[0] * variances[1])
    return np.asarray(np.where(np.minimum(*variances) > CONSTANT, np.clip(r, -1, 1), np.nan))


def _student(r: float, n: int) -> float:
    with np.errstate(divide="ignore"):
        t = abs(r) * np.sqrt((n - 2) / np.maximum(1 - r**2, 0))
    return float(2 * stats.t.sf(t, n - 2))
