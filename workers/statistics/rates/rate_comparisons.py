"""How two groups of names differ in the success rates of words, over other names of the same kinds."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.chunks import chunks
from workers.statistics.intervals import expanded_tail
from workers.statistics.rates.success_rates import divided, mean_rates, relative_difference, success_rates
from workers.statistics.units import Floats, Positions

FEWEST_WITH_SUCCESS = 3
"""Names of a group. With fewer of them, resamples of the names hardly differ: none at all where nothing was chosen."""


@dataclass(frozen=True)
class Successes:
    """The wrong answers of a group's names with each word: how many were chosen, and shown; arrays [names, words]."""

    chosen: Floats
    shown: Floats

    @property
    def rates(self) -> Floats:
        """SR(w, n), [names, words]."""
        return success_rates(self.chosen, self.shown)

    @property
    def names(self) -> npt.NDArray[np.int64]:
        """How many names have each word, [words]."""
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
    """The difference of two groups' mean rates, as it is and relative to their mean."""

    difference: Resampled
    relative: Resampled
    names: npt.NDArray[np.int64]
    """Names of both groups that have the word, [words]."""


def compare_rates(
    a: Successes, b: Successes, *, seed: int, resamples: int = 2000, level: float = 0.95
) -> RateComparison:
    """Compare two groups of names word by word: d and RD, with percentile intervals over names drawn anew.

    A group of whose names fewer than FEWEST_WITH_SUCCESS have a success draws its mean from
    Beta(K + 0.5, N - K + 0.5) instead, K and N being its chosen and shown answers in total. The percentiles are widened
    for few names, by the smaller group, and the interval is extended to hold the estimate. There is none below two
    names a group. The draws of a word do not depend on the words beside it.

    Source: An et al. 2023, equations 2-4; the intervals are ours (METHODS 1a), with the prior of Jeffreys.
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
        # The bootstrap divides the variance by n, not by n - 1.
        spreads[:, 2, words] *= np.sqrt(units / (units - 1))
    mean_a, mean_b = mean_rates(a.rates), mean_rates(b.rates)
    values = (mean_a - mean_b, relative_difference(mean_a, mean_b))
    difference, relative = (_resampled(*both) for both in zip(values, spreads, strict=True))
    return RateComparison(difference, relative, a.names + b.names)


def equivalence_p(found: Resampled, units: npt.ArrayLike, margin: float) -> Floats:
    """The larger p of two one-sided t tests, that the value lies above -margin and below +margin, [words].

    t = (margin - |value|) / standard error, with units - 1 degrees of freedom; NaN without a margin or an error.
    Source: Schuirmann 1987, "A Comparison of the Two One-Sided Tests Procedure and the Power Approach", section 2.
    """
    t = divided(margin - np.abs(found.value), found.error)
    return np.asarray(stats.t.sf(t, np.asarray(units) - 1))


def _resampled(value: Floats, spread: Floats) -> Resampled:
    """The interval holds the value. A value that is not defined has none."""
    low, high, error = np.where(np.isnan(value), np.nan, spread)
    return Resampled(value, np.minimum(low, value), np.maximum(high, value), error)


def _spread(drawn: Floats, tail: float) -> Floats:
    """Both limits and the standard deviation of each word's defined resamples [words, resamples], [3, words]."""
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
    """How often each name is drawn in each resample, [names, resamples]; the two sides are drawn apart."""
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(8, side, names)))
    return generator.multinomial(names, np.full(names, 1 / names), size=resamples).T.astype(np.float64)


def _means(one: Successes, words: Positions, times: Floats, stream: tuple[int, int]) -> Floats:
    """Means over the names drawn that have the word, [words, resamples]; NaN where none of them has."""
    chosen, shown = one.chosen[:, words], one.shown[:, words]
    rates = success_rates(chosen, shown)
    known = ~np.isnan(rates)
    means = divided(np.where(known, rates, 0.0).T @ times, known.T.astype(np.float64) @ times)
    for word in np.flatnonzero(np.count_nonzero(chosen, axis=0) < FEWEST_WITH_SUCCESS):
        means[word] = _of_few(float(chosen[:, word].sum()), float(shown[:, word].sum()), times.shape[1], stream)
    return means


def _of_few(successes: float, trials: float, resamples: int, stream: tuple[int, int]) -> Floats:
    """Draws of a mean of which next to no name tells anything, [resamples]."""
    seed, side = stream
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(11, side)))
    return generator.beta(successes + 0.5, trials - successes + 0.5, size=resamples)
