"""Intervals of rates between 0 and 1 over units (templates, names, passages); they always have a width."""

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.intervals import bootstrap_interval
from workers.statistics.rates.few_events import FEWEST_EVENTS
from workers.statistics.units import Blocks, Floats


def rate_interval(rates: Blocks, *, seed: int, resamples: int = 2000, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the interval of the rate over all items, (low [cells], high [cells]); NaN below two units.

    Units are drawn with replacement (see `bootstrap_interval`). The limits are `exact_limits` if fewer than five units
    differ from 0 or from 1, or if all resamples are equal, because resampling would give little width.
    """
    low, high = bootstrap_interval(rates, seed=seed, resamples=resamples, level=level)
    exact = exact_limits(rates.means, rates.n_units, level)
    replaced = (rates.n_units >= 2) & (few_differ(rates) | np.isnan(low))
    return np.where(replaced, exact[0], low), np.where(replaced, exact[1], high)


def few_differ(rates: Blocks) -> npt.NDArray[np.bool_]:
    """Return whether fewer than five units have a value other than 0, or other than 1, [cells]."""
    above = np.count_nonzero(rates.sums > 0, axis=1)
    below = np.count_nonzero(rates.sums < rates.counts, axis=1)
    return np.asarray(np.minimum(above, below) < FEWEST_EVENTS)


def exact_limits(rate: npt.ArrayLike, units: npt.ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return Clopper and Pearson's limits of a rate with each unit as one trial: (low, high), element by element.

    A unit of several items counts as one trial, as if all its items had one answer. This is the largest possible
    variation, so the interval is rather too wide than too narrow. The number of successes need not be an integer. NaN
    for a rate of NaN.
    Source: Clopper and Pearson 1934, "The Use of Confidence or Fiducial Limits Illustrated in the Case of the
    Binomial", Biometrika 26.
    """
    share, n = np.asarray(rate, dtype=np.float64), np.maximum(np.asarray(units, dtype=np.float64), 1.0)
    tail, successes = (1 - level) / 2, np.clip(share, 0.0, 1.0) * n
    with np.errstate(invalid="ignore"):
        low = np.where(successes > 0, stats.beta.ppf(tail, successes, n - successes + 1), 0.0)
        high = np.where(successes < n, stats.beta.ppf(1 - tail, successes + 1, n - successes), 1.0)
    unknown = np.isnan(share)
    return np.where(unknown, np.nan, low), np.where(unknown, np.nan, high)


def exact_score_limits(score: npt.ArrayLike, units: npt.ArrayLike, level: float = 0.95) -> tuple[Floats, Floats]:
    """Return the exact limits of a score between -1 and 1, or of a difference of two rates: (score + 1)/2 is a rate."""
    low, high = exact_limits((np.asarray(score, dtype=np.float64) + 1) / 2, units, level)
    return 2 * low - 1, 2 * high - 1
