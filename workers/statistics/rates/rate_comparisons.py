"""Differences between two groups of names in the success rates of words, with intervals over names."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.chunks import chunks
from workers.statistics.intervals import expanded_tail
from workers.statistics.rates.success_rates import divided, mean_rates, relative_difference, success_rates
from workers.statistics.units import Floats, Positions

FEWEST_WITH_SUCCESS = 3
"""With fewer names with a success in a group, resamples of the names hardly differ, or not at all."""


@dataclass(frozen=True)
class Successes:
    """Wrong answers with each word by name of one group: how many were chosen and shown, arrays [names, words]."""

    chosen: Floats
    shown: Floats

    @property
    def rates(self) -> Floats:
        """The success rates SR(w, n), [names, words]."""
        return success_rates(self.chosen, self.shown)

    @property
    def names(self) -> npt.NDArray[np.int64]:
        """The number of names that have each word, [words]."""
        return np.asarray(np.count_nonzero(self.shown, axis=0))


@dataclass(frozen=True)
class Resampled:
    """An estimate with its interval and standard error, arrays [words]; NaN is undefined."""

    value: Floats
    low: Floats
    high: Floats
    error: Floats


@dataclass(frozen=True)
class RateComparison:
    """The difference of two groups' mean rates, absolute and relative to their mean."""

    difference: Resampled
    relative: Resampled
    names: npt.NDArray[np.int64]
    """The number of names of both groups that have the word, [words]."""


def compare_rates(
    a: Successes, b: Successes, *, seed: int, resamples: int = 2000, level: float = 0.95
) -> RateComparison:
    """Compare two groups of names word by word: d and RD, with percentile intervals over resampled names.

    A group in which fewer than FEWEST_WITH_SUCCESS names have a success draws its mean from Beta(K + 0.5, N - K + 0.5)
    instead, where K and N are its total numbers of chosen and shown answers. The percentiles are expanded for the
    smaller group, and the interval is extended to hold the estimate. There is no interval below two names in a group.
    The draws of a word do not depend on other words.
    Source: An et al. 2023, equations 2-4. The intervals are ours (METHODS 1a), with the prior of Jeffreys.
    """
    sides = (a, b)
    times = [_times_drawn(len(one.shown), resamples, seed, side) for side, one in enumerate(sides)]
    smaller = np.minimum(a.names, b.names)
    spreads = np.full((2, 3, len(smaller)), np.nan)
    for units in np.unique(smaller[smaller >= 2]):
        words, tail = np.flatnonzero(smaller == units), expanded_tail(int(units), level)
        for part in chunks(len(words), resamples):
            x, y = (_means(one, words[part], times[side], (seed, side)) for side, one in enumerate(sides))
            for row, drawn in enumerate((x - y, relative_difference(x, y))):
                spreads[row][:, words[part]] = _spread(drawn, tail)
        # The bootstrap divides the variance by n instead of n - 1.
        spreads[:, 2, words] *= np.sqrt(units / (units - 1))
    mean_a, mean_b = mean_rates(a.rates), mean_rates(b.rates)
    values = (mean_a - mean_b, relative_difference(mean_a, mean_b))
    difference, relative = (_resampled(*both) for both in zip(values, spreads, strict=True))
    return RateComparison(difference, relative, a.names + b.names)


def equivalence_p(found: Resampled, units: npt.ArrayLike, margin: float) -> Floats:
    """Return the larger p of two one-sided t tests that the value is above -margin and below +margin, [words].

    t = (margin - |value|) / standard error, with units - 1 degrees of freedom. NaN without a margin or a standard
    error.
    Source: Schuirmann 1987, "A Comparison of the Two One-Sided Tests Procedure and the Power Approach", section 2.
    """
    t = divided(margin - np.abs(found.value), found.error)
    return np.asarray(stats.t.sf(t, np.asarray(units) - 1))


def _resampled(value: Floats, spread: Floats) -> Resampled:
    """Return the estimate with its interval extended to hold the value; an undefined value has no interval."""
    low, high, error = np.where(np.isnan(value), np.nan, spread)
    return Resampled(value, np.minimum(low, value), np.maximum(high, value), error)


def _spread(drawn: Floats, tail: float) -> Floats:
    """Return both limits and the standard deviation of each word's defined resamples [words, resamples], [3, words]."""
    found = np.full((3, len(drawn)), np.nan)
    known = ~np.isnan(drawn)
    whole = known.all(axis=1)
    found[:, whole] = _summary(drawn[whole], tail)
    for word in np.flatnonzero(known.any(axis=1) & ~whole):
        found[:, word] = _summary(drawn[word, known[word]], tail)
    return found


def _summary(drawn: Floats, tail: float) -> Floats:
    return np.stack([*np.quantile(drawn, [tail, 1 - tail], axis=-1), drawn.std(axis=-1)])


def _times_drawn(names: int, resamples: int, seed: int, side: int) -> Floats:
    """Return how often each name is drawn in each resample, [names, resamples]; the two sides are drawn separately."""
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(8, side, names)))
    return generator.multinomial(names, np.full(names, 1 / names), size=resamples).T.astype(np.float64)


def _means(one: Successes, words: Positions, times: Floats, stream: tuple[int, int]) -> Floats:
    """Return means over the drawn names that have the word, [words, resamples]; NaN if no drawn name has it."""
    chosen, shown = one.chosen[:, words], one.shown[:, words]
    rates = success_rates(chosen, shown)
    known = ~np.isnan(rates)
    means = divided(np.where(known, rates, 0.0).T @ times, known.T.astype(np.float64) @ times)
    for word in np.flatnonzero(np.count_nonzero(chosen, axis=0) < FEWEST_WITH_SUCCESS):
        means[word] = _of_few(float(chosen[:, word].sum()), float(shown[:, word].sum()), times.shape[1], stream)
    return means


def _of_few(successes: float, trials: float, resamples: int, stream: tuple[int, int]) -> Floats:
    """Return draws [resamples] of the mean of a group with hardly any success, from Jeffreys' posterior."""
    seed, side = stream
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(11, side)))
    return generator.beta(successes + 0.5, trials - successes + 0.5, size=resamples)
