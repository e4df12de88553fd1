"""Confidence intervals of means: Student's t over units, and the cluster bootstrap for units of unequal weight."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.chunks import chunks
from workers.statistics.units import Blocks, Floats

ROUNDING = 1e-12


def t_interval(blocks: Blocks, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the t interval of the mean over units with one value each: (low [cells], high [cells]).

    mean -+ t(n - 1) sd / sqrt(n), in the unit of the values. NaN below two units or if all units are equal. A
    percentile bootstrap covers 0.86, 0.91 and 0.94 at 6, 12 and 24 units instead of 0.95 (bench/calibration.py).
    """
    n = np.where(blocks.n_units >= 2, blocks.n_units, 2)
    off = np.where(blocks.counts > 0, blocks.sums - blocks.means[:, None], 0.0)
    reach = stats.t.isf((1 - level) / 2, n - 1) * np.sqrt((off**2).sum(axis=1) / (n - 1) / n)
    low, high = blocks.means - reach, blocks.means + reach
    none = (blocks.n_units < 2) | ~has_width(low, high)
    return np.where(none, np.nan, low), np.where(none, np.nan, high)


def has_width(low: npt.ArrayLike, high: npt.ArrayLike) -> npt.NDArray[np.bool_]:
    """Return whether the limits differ by more than rounding, element by element; False for NaN."""
    one, other = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
    return np.asarray(other - one > ROUNDING * np.maximum(1.0, np.maximum(np.abs(one), np.abs(other))))


class Bootstrapped(NamedTuple):
    """Interval and standard error of means, arrays [cells], in the unit of the values; NaN below two units."""

    low: Floats
    high: Floats
    error: Floats


def bootstrap_interval(
    blocks: Blocks, *, seed: int, resamples: int = 2000, level: float = 0.95
) -> tuple[Floats, Floats]:
    """Return the expanded percentile interval of the mean over items: (low [cells], high [cells]).

    It is in the unit of the values. NaN below two units or if all resamples are equal.
    """
    found = bootstrap(blocks, seed=seed, resamples=resamples, level=level)
    wide = has_width(found.low, found.high)
    return np.where(wide, found.low, np.nan), np.where(wide, found.high, np.nan)


def bootstrap(blocks: Blocks, *, seed: int, resamples: int = 2000, level: float = 0.95) -> Bootstrapped:
    """Return the expanded percentile interval of the mean over items, and its standard error.

    Units are drawn with replacement with all their items, and the mean is taken over the items drawn. NaN below two
    units. The draws depend only on the seed and the cell's number of units, so the interval of a cell does not depend
    on other cells. No resample leaves the range of the units. Below six units the interval therefore covers less than
    95%: at most 1 - 2^(1 - k), which is also the limit of the sign-flip test with k units. The standard error is the
    standard deviation of the resampled means times sqrt(n / (n - 1)), because resamples divide by n. Raises ValueError
    for an invalid `resamples` or `level`.
    Source: Davison and Hinkley 1997, "Bootstrap Methods and their Application", section 3.8 (clusters); Hesterberg
    2015, "What Teachers Should Know About the Bootstrap", The American Statistician 69 (expanded percentiles).
    """
    if resamples < 1 or not 0 < level < 1:
        raise ValueError(f"resamples={resamples}, level={level}: at least one resample, and a level between 0 and 1.")
    found = Bootstrapped(*np.full((3, len(blocks.sums)), np.nan))
    for cells, group in blocks.by_n_units():
        units = group.sums.shape[1]
        if units < 2:
            continue
        weights = times_drawn(units, resamples, seed)
        tail = expanded_tail(units, level)
        for part in chunks(len(cells), resamples):
            means = (group.sums[part] @ weights) / (group.counts[part] @ weights)  # [cells, resamples]
            found.error[cells[part]] = resampled_error(means, units)
            ends = np.quantile(means, [tail, 1 - tail], axis=1, overwrite_input=True)
            found.low[cells[part]], found.high[cells[part]] = ends
    return found


def resampled_error(drawn: Floats, units: int) -> Floats:
    """Return the standard error of a figure of `units` units from its resampled values [..., resamples]."""
    return np.asarray(np.std(drawn, axis=-1) * np.sqrt(units / (units - 1)))


def expanded_tail(units: int, level: float) -> float:
    """Return the tail probability that makes a percentile interval cover like a t interval with few units.

    alpha' = Phi(-sqrt(n / (n - 1)) t), with t the upper (1 - level)/2 quantile of Student's t with n - 1 degrees of
    freedom. The bootstrap divides the variance by n and ignores the uncertainty of the variance itself.
    Source: Hesterberg 2015 (see `bootstrap`).
    """
    t = stats.t.isf((1 - level) / 2, units - 1)
    return float(stats.norm.sf(np.sqrt(units / (units - 1)) * t))


def times_drawn(units: int, resamples: int, seed: int) -> Floats:
    """Return how often each unit is drawn in each resample, [units, resamples]."""
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(0, units)))
    return generator.multinomial(units, np.full(units, 1 / units), size=resamples).T.astype(np.float64)
