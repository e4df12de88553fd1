"""Changes of correlations between two sets of scores of the same members of a bridge."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from workers.statistics.correlations.bridge_correlations import AT_ONCE, Sides, fisher_z
from workers.statistics.name_groups import Drawn
from workers.statistics.units import Floats

FEWEST = 4
EQUAL = 1e-5
"""Smaller differences are rounding errors of float32."""


@dataclass(frozen=True)
class CorrelationChanges:
    """Arrays [targets, features]; NaN if a column is constant or there are fewer than four names."""

    value: Floats
    low: Floats
    high: Floats
    p_value: Floats
    equivalence_p: Floats
    n: int


def correlation_changes(
    first: tuple[Floats, Floats],
    second: tuple[Floats, Floats],
    drawn: Drawn,
    margin: float = np.nan,
    design: Floats | None = None,
) -> CorrelationChanges:
    """Return the second minus the first Pearson's r, each of x [names, targets] with y [names, features].

    With a `design` [names, c], such as that of `indicators`, both r are those of the residuals of a regression on its
    columns, which is fitted again in each resample. Both sides use the same resampled names of `drawn`. The interval
    of the difference is the expanded percentile interval. `p_value` is two-sided and tests the difference of Fisher's z
    by its standard deviation over the resamples. `equivalence_p` tests |difference of r| < margin by the standard
    deviation of that difference. Both use Student's t with units - 1 degrees of freedom. p is 1 if the correlations are
    equal.
    Source: Davison and Hinkley 1997, sections 2.3 and 5.3; Fisher 1921 for z; Schuirmann 1987 for equivalence.
    """
    names, shape = len(first[0]), (first[0].shape[1], first[1].shape[1])
    if names - (0 if design is None else design.shape[1] - 1) < FEWEST:
        nothing = np.full(shape, np.nan)
        return CorrelationChanges(nothing, nothing, nothing, nothing, nothing, names)
    taken = np.ones((names, 1)) if design is None else design
    before, after = (Sides.of(*one, taken) for one in (first, second))
    every, once = slice(None), np.ones(names)
    r = before.r(once, every), after.r(once, every)
    value, distance = r[1] - r[0], np.abs(fisher_z(r[1]) - fisher_z(r[0]))
    low, high, spread, of_z = _resampled(before.single(), after.single(), drawn)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(distance < EQUAL, 1.0, 2 * stats.t.sf(distance / of_z, drawn.units - 1))
        equivalence = stats.t.sf((margin - np.abs(value)) / np.maximum(spread, EQUAL), drawn.units - 1)
    return CorrelationChanges(value, low, high, np.where(np.isnan(value), np.nan, p), equivalence, names)


def _resampled(before: Sides, after: Sides, drawn: Drawn) -> Floats:
    """Return the limits and the SD of the difference, and the SD of the difference of z, [4, targets, features]."""
    weights, shape = drawn.weights.T, (before.z.shape[1] - before.width, before.y.shape[1])
    found = np.empty((4, *shape))
    step = max(1, AT_ONCE // (2 * len(weights) * max(1, shape[0])))
    for start in range(0, shape[1], step):
        some = slice(start, start + step)
        pairs = np.array([[one.r(row, some) for one in (before, after)] for row in weights], dtype=np.float32)
        r = pairs.transpose(1, 2, 3, 0)
        difference = np.ascontiguousarray(r[1] - r[0])
        found[2, :, some], found[3, :, some] = difference.std(axis=-1), (fisher_z(r[1]) - fisher_z(r[0])).std(axis=-1)
        found[:2, :, some] = np.quantile(difference, [drawn.tail, 1 - drawn.tail], axis=-1)
    return found
