"""Correlations of many columns with many others over the same members of a bridge."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.name_groups import Drawn
from workers.statistics.units import Floats, Positions

AT_ONCE = 1 << 24
"""Maximum number of resampled correlations in memory at a time."""
CONSTANT = 1e-12
"""A column is constant if its variance is below this share of the largest variance of its side."""
FEWEST_FREE = 2
"""Minimum degrees of freedom of a correlation."""
NEARLY_ONE = 1 - 1e-6


@dataclass(frozen=True)
class Correlations:
    """Arrays [targets, features]; NaN if a column is constant or there are too few names."""

    value: Floats
    low: Floats
    high: Floats
    spread: Floats
    """Standard deviation of Fisher's z over the resamples; NaN without resamples."""
    n: int


def correlations(x: Floats, y: Floats, drawn: Drawn, design: Floats | None = None) -> Correlations:
    """Return Pearson's r of each column of x [names, targets] with each of y [names, features], with its interval.

    With a `design` [names, c], r is computed on the residuals of a regression on its columns. `design_of` builds a
    design from controls, `indicators` one from groups. The regression is fitted again in each resample of `drawn`. The
    interval is the expanded percentile interval; it is NaN without resamples.
    Source: Davison and Hinkley 1997, sections 2.3 and 5.3; Fisher 1921 for z.
    """
    taken = np.ones((len(x), 1)) if design is None else design
    low, high, spread = np.full((3, x.shape[1], y.shape[1]), np.nan)
    if len(x) - 1 - taken.shape[1] < FEWEST_FREE:
        return Correlations(np.full(low.shape, np.nan), low, high, spread, len(x))
    sides = Sides.of(x, y, taken)
    if drawn.weights.shape[1]:
        low, high, spread = _resampled(sides.single(), drawn)
    return Correlations(sides.r(np.ones(len(x)), slice(None)), low, high, spread, len(x))


def within_margin_p(found: Correlations, margin: float, units: int) -> Floats:
    """Return the p of two one-sided t tests of |r| < `margin` on Fisher's scale, with units - 1 degrees of freedom.

    Source: Schuirmann 1987; METHODS 1a.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (fisher_z(margin) - np.abs(fisher_z(found.value))) / found.spread
    return np.asarray(stats.t.sf(t, units - 1))


def fisher_z(r: npt.ArrayLike) -> npt.NDArray[np.floating]:
    """Return Fisher's z transform of r, clipped so that it is finite for perfect correlations."""
    return np.asarray(np.arctanh(np.clip(r, -NEARLY_ONE, NEARLY_ONE)))


def design_of(controls: Floats) -> Floats:
    """Return a design of a constant and the controls [names, c], each centred and scaled to standard deviation 1."""
    spread = controls.std(axis=0)
    scaled = (controls - controls.mean(axis=0)) / np.where(spread > 0, spread, 1)
    return np.column_stack([np.ones(len(controls)), scaled])


def indicators(groups: Positions) -> Floats:
    """Return one indicator column per group, [names, groups]. Its residuals are scores centred on their group."""
    return np.eye(groups.max(initial=-1) + 1)[groups]


@dataclass(frozen=True)
class Sides:
    """Both sides of a bridge as residuals of a regression on the controls, from which resamples are computed.

    Residuals keep the sums of products of a resample precise.
    """

    z: npt.NDArray[np.floating]  # [names, c + targets]: the design, then x
    y: npt.NDArray[np.floating]  # [names, features]
    width: int  # number of columns of the design
    least: tuple[float, float]
    """Variance of x and of y below which a column is constant."""

    @classmethod
    def of(cls, x: Floats, y: Floats, design: Floats) -> "Sides":
        least = [CONSTANT * max(float(one.var(axis=0).max(initial=0)), 1.0) for one in (x, y)]
        left, right = (one - design @ np.linalg.lstsq(design, one, rcond=None)[0] for one in (x, y))
        return cls(np.column_stack([design, left]), right, design.shape[1], (least[0], least[1]))

    def single(self) -> "Sides":
        """Return the sides as float32, which halves the time of a resample. r is then precise to five digits."""
        return replace(self, z=self.z.astype(np.float32), y=self.y.astype(np.float32))

    def r(self, weights: npt.NDArray[np.floating], some: slice) -> Floats:
        """Return r [targets, features] of all targets with the features `some`, from weighted sums of products."""
        y, total = self.y[:, some], weights.sum()
        weighted = (self.z * weights[:, None]).T
        with_y, with_design = weighted @ y, weighted @ self.z[:, : self.width]
        design, x = slice(self.width), slice(self.width, None)
        # A resample may lack the names in which two controls differ. Its normal equations then have no inverse.
        inverse = np.linalg.pinv(with_design[design], hermitian=True)
        fitted, explained = with_design[x] @ inverse, inverse @ with_y[design]
        covariance = with_y[x] - fitted @ with_y[design]
        of_x = weights @ self.z[:, x] ** 2 - (fitted * with_design[x]).sum(axis=1)
        of_y = weights @ y**2 - (explained * with_y[design]).sum(axis=0)
        spreads = [_spread(one / total, least) for one, least in zip((of_x, of_y), self.least, strict=True)]
        covariance /= total * spreads[0][:, None]
        covariance /= spreads[1]
        return np.asarray(np.clip(covariance, -1, 1, out=covariance))


def _spread(variance: Floats, least: float) -> Floats:
    return np.asarray(np.where(variance > least, np.sqrt(np.maximum(variance, 0)), np.nan))


def _resampled(sides: Sides, drawn: Drawn) -> tuple[Floats, Floats, Floats]:
    """Return both limits of r and the standard deviation of z, [targets, features] each, a block of features at a time.

    All blocks use the same resampled names.
    """
    weights = drawn.weights.T
    targets, features = sides.z.shape[1] - sides.width, sides.y.shape[1]
    low, high, spread = np.empty((3, targets, features))
    step = max(1, AT_ONCE // (len(weights) * max(1, targets)))
    for start in range(0, features, step):
        some = slice(start, start + step)
        found = np.stack([sides.r(one, some) for one in weights])
        # A quantile along the last axis takes a quarter of the time of one along the first axis.
        cells = np.ascontiguousarray(found.transpose(1, 2, 0))
        spread[:, some] = fisher_z(cells).std(axis=-1)
        low[:, some], high[:, some] = np.quantile(cells, [drawn.tail, 1 - drawn.tail], axis=-1, overwrite_input=True)
    return low, high, spread
