"""How correlations over the members of a bridge differ between two sets of scores of the same members."""

import numpy as np
from scipy import stats

from workers.statistics.bridge_correlations import AT_ONCE, Correlations, Sides
from workers.statistics.intervals import expanded_tail, times_drawn
from workers.statistics.units import Floats

FEWEST = 4
NEARLY_ONE = 1 - 1e-6
EQUAL = 1e-5
"""Less is rounding, in single precision."""


def correlation_changes(
    first: tuple[Floats, Floats], second: tuple[Floats, Floats], *, seed: int, resamples: int, level: float
) -> Correlations:
    """Second minus first of Pearson's r [targets, features]; each is x [names, targets] and y [names, features].

    Names are drawn with replacement, the same ones in both; the interval of the difference is the expanded percentile
    one. p is two-sided, of the normal distribution, of the difference of Fisher's z by its spread over the resamples:
    close for a hundred names. Where nothing differs p is 1.
    Source: Davison and Hinkley 1997, sections 2.3 and 5.3; Fisher 1921 for z.
    """
    names, shape = len(first[0]), (first[0].shape[1], first[1].shape[1])
    if names < FEWEST:
        nothing = np.full(shape, np.nan)
        return Correlations(nothing, nothing, nothing, nothing, names)
    before, after = (Sides.of(*one, None) for one in (first, second))
    every, once = slice(None), np.ones(names)
    r = before.r(once, every), after.r(once, every)
    low, high, spread = _resampled(before.single(), after.single(), shape, times_drawn(names, resamples, seed), level)
    distance = np.abs(_z(r[1]) - _z(r[0]))
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(distance < EQUAL, 1.0, 2 * stats.norm.sf(distance / spread))
    value = r[1] - r[0]
    return Correlations(value, low, high, np.where(np.isnan(value), np.nan, p), names)


def _resampled(
    before: Sides, after: Sides, shape: tuple[int, int], drawn: Floats, level: float
) -> tuple[Floats, Floats, Floats]:
    """Interval of the difference, and the spread of the difference of z; some features at a time."""
    low, high, spread = np.empty((3, *shape))
    tail = expanded_tail(len(drawn), level)
    step = max(1, AT_ONCE // (2 * drawn.shape[1] * max(1, shape[0])))
    for start in range(0, shape[1], step):
        some = slice(start, start + step)
        pairs = [[one.r(weights, some) for one in (before, after)] for weights in drawn.T.astype(np.float32)]
        found = np.array(pairs, dtype=np.float32).transpose(1, 2, 3, 0)
        spread[:, some] = (_z(found[1]) - _z(found[0])).std(axis=-1)
        ends = np.quantile(np.ascontiguousarray(found[1] - found[0]), [tail, 1 - tail], axis=-1)
        low[:, some], high[:, some] = ends
    return low, high, spread


def _z(r: Floats) -> Floats:
    """Fisher's transform, finite for perfect correlations."""
    return np.asarray(np.arctanh(np.clip(r, -NEARLY_ONE, NEARLY_ONE)))
