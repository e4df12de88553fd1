"""Correlations of many columns with many others over the same members of a bridge."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.intervals import expanded_tail, times_drawn
from workers.statistics.units import Floats

AT_ONCE = 1 << 24
"""Resampled correlations in memory together."""
CONSTANT = 1e-12
"""Less variance than that, relative to the largest of a side, is rounding: a correlation is undefined there."""


@dataclass(frozen=True)
class Correlations:
    """Arrays [targets, features]; NaN where a column does not vary, or there are fewer than four names."""

    value: Floats
    low: Floats
    high: Floats
    p_value: Floats
    n: int


def correlations(
    x: Floats, y: Floats, *, seed: int, resamples: int = 1000, level: float = 0.95, controls: Floats | None = None
) -> Correlations:
    """Pearson's r of each column of x [names, targets] with each of y [names, features], with interval and p.

    With `controls` [names, c] it is the partial correlation: of what a linear regression on them leaves. Names are
    drawn with replacement, `resamples` times (0: no interval), and the regression is fitted anew each time; the
    interval is the expanded percentile one. p is two-sided, of Student's t with n - 2 - c degrees of freedom: exact for
    normal scores, close for hundreds of names.
    Source: Davison and Hinkley 1997, sections 2.3 and 5.3; Fisher 1915 and 1924 for the distribution of r.
    """
    taken = np.empty((len(x), 0)) if controls is None else controls
    n, free = len(x), len(x) - 2 - taken.shape[1]
    low, high, nothing = np.full((3, x.shape[1], y.shape[1]), np.nan)
    if free < 2:
        return Correlations(nothing, low, high, nothing, n)
    value = pearson(x, y, controls=taken)
    with np.errstate(divide="ignore"):
        t = np.abs(value) * np.sqrt(free / np.maximum(1 - value**2, 0))
    if resamples:
        low, high = _intervals(x, y, taken, times_drawn(n, resamples, seed), expanded_tail(n, level))
    return Correlations(value, low, high, 2 * stats.t.sf(t, free), n)


def pearson(x: Floats, y: Floats, weights: Floats | None = None, controls: Floats | None = None) -> Floats:
    """r [targets, features]; `weights` [names] count each name so often, `controls` [names, c] are taken out first."""
    return Sides.of(x, y, controls).r(np.ones(len(x)) if weights is None else weights, slice(None))


@dataclass(frozen=True)
class Sides:
    """What resamples of one bridge are made of: both sides less a regression on the controls.

    So the sums of products of a resample keep their digits.
    """

    z: npt.NDArray[np.floating]  # [names, c + targets]: the design (a constant and the controls), then x
    y: npt.NDArray[np.floating]  # [names, features]
    width: int  # of the design
    least: tuple[float, float]
    """Variance of x and of y that is but rounding."""

    @classmethod
    def of(cls, x: Floats, y: Floats, controls: Floats | None) -> "Sides":
        design = _design(len(x), controls)
        least = [CONSTANT * max(float(one.var(axis=0).max(initial=0)), 1.0) for one in (x, y)]
        left, right = (one - design @ np.linalg.lstsq(design, one, rcond=None)[0] for one in (x, y))
        return cls(np.column_stack([design, left]), right, design.shape[1], (least[0], least[1]))

    def single(self) -> "Sides":
        """In single precision, which halves the time of a resample; r is then right to five digits."""
        return replace(self, z=self.z.astype(np.float32), y=self.y.astype(np.float32))

    def r(self, weights: npt.NDArray[np.floating], some: slice) -> Floats:
        """Of all targets with some features: from weighted sums of products alone, [targets, features]."""
        y, total = self.y[:, some], weights.sum()
        weighted = (self.z * weights[:, None]).T
        with_y, with_design = weighted @ y, weighted @ self.z[:, : self.width]
        design, x = slice(self.width), slice(self.width, None)
        # A resample may lack the names in which two controls differ: its normal equations have then no inverse.
        inverse = np.linalg.pinv(with_design[design], hermitian=True)
        fitted, explained = with_design[x] @ inverse, inverse @ with_y[design]
        covariance = with_y[x] - fitted @ with_y[design]
        of_x = weights @ self.z[:, x] ** 2 - (fitted * with_design[x]).sum(axis=1)
        of_y = weights @ y**2 - (explained * with_y[design]).sum(axis=0)
        spreads = [_spread(one / total, least) for one, least in zip((of_x, of_y), self.least, strict=True)]
        covariance /= total * spreads[0][:, None]
        covariance /= spreads[1]
        return np.asarray(np.clip(covariance, -1, 1, out=covariance))


def _design(names: int, controls: Floats | None) -> Floats:
    """A constant and the controls, in units of their spread."""
    if controls is None or not controls.size:
        return np.ones((names, 1))
    spread = controls.std(axis=0)
    return np.column_stack([np.ones(names), (controls - controls.mean(axis=0)) / np.where(spread > 0, spread, 1)])


def _spread(variance: Floats, least: float) -> Floats:
    return np.asarray(np.where(variance > least, np.sqrt(np.maximum(variance, 0)), np.nan))


def _intervals(x: Floats, y: Floats, controls: Floats, drawn: Floats, tail: float) -> tuple[Floats, Floats]:
    """Some features at a time, each resample with the same names for all of them."""
    ends, sides = np.empty((2, x.shape[1], y.shape[1])), Sides.of(x, y, controls).single()
    step = max(1, AT_ONCE // (drawn.shape[1] * max(1, x.shape[1])))
    for start in range(0, y.shape[1], step):
        some = slice(start, start + step)
        found = np.stack([sides.r(weights, some) for weights in drawn.T.astype(np.float32)])
        # A quantile along the last axis takes a quarter of the time of one along the first.
        cells = np.ascontiguousarray(found.transpose(1, 2, 0))
        ends[:, :, some] = np.quantile(cells, [tail, 1 - tail], axis=-1, overwrite_input=True)
    return ends[0], ends[1]
