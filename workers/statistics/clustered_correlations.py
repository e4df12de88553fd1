"""Pearson's r over pairs of numbers that come in clusters, with an interval that draws clusters."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from workers.statistics.intervals import expanded_tail, times_drawn
from workers.statistics.units import Floats

FEWEST = 4
CONSTANT = 1e-12


@dataclass(frozen=True, slots=True)
class Correlation:
    """NaN for what is undefined: below four clusters, or where one side does not vary."""

    value: float
    low: float
    high: float
    p_value: float
    """Two-sided, Student's with n - 2 degrees of freedom; NaN where a cluster has several pairs, which depend."""
    pairs: int
    clusters: int


def clustered_correlation(x: Floats, y: Floats, *, seed: int, resamples: int, level: float) -> Correlation:
    """r over all pairs of x and y [clusters, pairs] that have both numbers; clusters without any do not count.

    Source: Davison and Hinkley 1997, section 3.8 (clusters), for the interval: expanded percentiles.
    """
    both = ~(np.isnan(x) | np.isnan(y))
    there = both.any(axis=1)
    x, y, both = x[there], y[there], both[there]
    clusters, pairs = len(x), int(both.sum())
    nothing = Correlation(np.nan, np.nan, np.nan, np.nan, pairs, clusters)
    if clusters < FEWEST:
        return nothing
    sums = _sums(x, y, both)
    value = float(_r(sums.sum(axis=0)[None])[0])
    if np.isnan(value):
        return nothing
    drawn = _r(times_drawn(clusters, resamples, seed).T @ sums)
    tail = expanded_tail(clusters, level)
    known = drawn[~np.isnan(drawn)]
    low, high = np.quantile(known, [tail, 1 - tail]) if known.size > resamples / 2 else (np.nan, np.nan)
    p_value = _p(value, pairs) if pairs == clusters else np.nan
    return Correlation(value, float(low), float(high), p_value, pairs, clusters)


def _sums(x: Floats, y: Floats, both: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> Floats:
    """Of each cluster: how many, x, y, x^2, y^2, xy; around the means of all, for their digits."""
    x, y = (np.where(both, (one - one[both].mean()) / (one[both].std() or 1.0), 0.0) for one in (x, y))
    return np.stack([both.sum(axis=1), *(one.sum(axis=1) for one in (x, y, x * x, y * y, x * y))], axis=1)


def _r(sums: Floats) -> Floats:
    """Of rows of such sums."""
    n, x, y, xx, yy, xy = sums.T
    variances = [square / n - (one / n) ** 2 for one, square in ((x, xx), (y, yy))]
    with np.errstate(invalid="ignore", divide="ignore"):
        r = (xy / n - x * y / n**2) / np.sqrt(variances[0] * variances[1])
    return np.asarray(np.where(np.minimum(*variances) > CONSTANT, np.clip(r, -1, 1), np.nan))


def _p(r: float, n: int) -> float:
    with np.errstate(divide="ignore"):
        t = abs(r) * np.sqrt((n - 2) / np.maximum(1 - r**2, 0))
    return float(2 * stats.t.sf(t, n - 2))
