"""Success rates of words with names, and how two groups of names differ in them."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from workers.statistics.chunks import chunks
from workers.statistics.intervals import expanded_tail
from workers.statistics.units import Floats


def success_rates(chosen: npt.ArrayLike, shown: npt.ArrayLike) -> Floats:
    """SR = chosen/shown, element by element; NaN where a word was never shown with a name.

    Source: An et al. 2023, section 3.2, equation 1.
    """
    chosen, shown = np.asarray(chosen, dtype=np.float64), np.asarray(shown, dtype=np.float64)
    return _divided(chosen, shown)


def mean_rates(rates: Floats) -> Floats:
    """Mean over the names [names, words] that have the word, [words]; NaN where none has."""
    known = ~np.isnan(rates)
    sums, counts = np.where(known, rates, 0.0).sum(axis=0), known.sum(axis=0)
    return _divided(sums, counts)


def relative_difference(mean_a: Floats, mean_b: Floats) -> Floats:
    """RD = (a - b) / ((a + b)/2), between -2 and 2; NaN where both are 0. Source: equations 2-4."""
    sums = mean_a + mean_b
    return _divided(2 * (mean_a - mean_b), sums)


def _divided(above: Floats, below: npt.NDArray[Any]) -> Floats:
    """NaN where there is nothing to divide by."""
    found = np.full(below.shape, np.nan)
    np.divide(above, below, out=found, where=below > 0)
    return found


@dataclass(frozen=True)
class RateComparison:
    """Arrays [words]; NaN is undefined. Intervals are of other names of the same kinds."""

    difference: Floats
    difference_low: Floats
    difference_high: Floats
    relative: Floats
    relative_low: Floats
    relative_high: Floats
    names: npt.NDArray[np.int64]
    """Names of both groups that have the word."""


def compare_rates(x: Floats, y: Floats, *, seed: int, resamples: int = 2000, level: float = 0.95) -> RateComparison:
    """Two groups' rates [names, words]: d, RD and their percentile intervals over names drawn anew in each group.

    The percentiles are widened for few names, by the smaller group; none below two names a group. Source: An et al.
    2023, equations 2-4; the intervals are ours.
    """
    mean_a, mean_b = mean_rates(x), mean_rates(y)
    counts = [np.count_nonzero(~np.isnan(rates), axis=0) for rates in (x, y)]
    limits = np.full((4, x.shape[1]), np.nan)
    drawn = [_drawn(len(rates), resamples, seed, side) for side, rates in enumerate((x, y))]
    smaller = np.minimum(*counts)
    for units in np.unique(smaller[smaller >= 2]):
        words, tail = np.flatnonzero(smaller == units), expanded_tail(int(units), level)
        for part in chunks(len(words), resamples):
            a, b = (_resampled(rates[:, words[part]], times) for rates, times in zip((x, y), drawn, strict=True))
            for row, values in ((0, a - b), (2, relative_difference(a, b))):
                limits[row : row + 2, words[part]] = _limits(values, tail)
    relative = relative_difference(mean_a, mean_b)
    return RateComparison(
        mean_a - mean_b, limits[0], limits[1], relative, limits[2], limits[3], np.asarray(sum(counts))
    )


def _limits(values: Floats, tail: float) -> Floats:
    """The quantiles at both ends of each word's defined resamples, [2, words]."""
    found = np.full((2, len(values)), np.nan)
    known = ~np.isnan(values)
    whole = known.all(axis=1)
    found[:, whole] = np.quantile(values[whole], [tail, 1 - tail], axis=1)
    for word in np.flatnonzero(known.any(axis=1) & ~whole):
        found[:, word] = np.quantile(values[word, known[word]], [tail, 1 - tail])
    return found


def _drawn(names: int, resamples: int, seed: int, side: int) -> Floats:
    """How often each name is drawn in each resample, [names, resamples]; the two sides are drawn apart."""
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(8, side, names)))
    return generator.multinomial(names, np.full(names, 1 / names), size=resamples).T.astype(np.float64)


def _resampled(rates: Floats, times: Floats) -> Floats:
    """Means over the names drawn that have the word, [words, resamples]; NaN where none of them has."""
    known = ~np.isnan(rates)
    sums, counts = np.where(known, rates, 0.0).T @ times, known.T.astype(np.float64) @ times
    return _divided(sums, counts)
