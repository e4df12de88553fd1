"""Rank correlation of passages, also with other things about them taken out."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.intervals import expanded_tail

Floats = npt.NDArray[np.float64]
AT_ONCE = 250


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rho with its bootstrap interval and two-sided permutation p; NaN where a side is constant."""

    value: float
    ci_low: float
    ci_high: float
    p_value: float


UNDEFINED = Correlation(*[float("nan")] * 4)


def rank_correlation(
    x: Floats, y: Floats, apart: Floats, *, seed: int, resamples: int, permutations: int, level: float
) -> Correlation:
    """Spearman's rho of x and y [n]; partial, with `apart` [n, k] taken out of both (k may be 0).

    Partial: the ranks of x and y are regressed on those of `apart`, and what is left is correlated. p exchanges what is
    left of y; the interval draws passages with replacement and ranks them anew.
    Source: Kendall 1942, "Partial Rank Correlation", for the idea; Phipson and Smyth 2010 for (b + 1)/(m + 1).
    """
    left = _left(x[None], y[None], apart[None])
    value = float(_correlated(*left)[0])
    if np.isnan(value):
        return UNDEFINED
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(5, len(x))))
    anew = np.concatenate([_resampled(x, y, apart, generator, part) for part in _parts(resamples)])
    tail = expanded_tail(len(x), level)
    low, high = np.nanquantile(anew, [tail, 1 - tail])
    one, other = (_normed(side)[0] for side in left)
    drawn = np.concatenate(
        [generator.permuted(np.tile(other, (part, 1)), axis=1) @ one for part in _parts(permutations)]
    )
    extreme = np.count_nonzero(np.abs(drawn) >= abs(value) - 1e-9)
    return Correlation(value, float(low), float(high), (extreme + 1) / (permutations + 1))


def _parts(count: int) -> list[int]:
    return [min(AT_ONCE, count - start) for start in range(0, count, AT_ONCE)]


def _resampled(x: Floats, y: Floats, apart: Floats, generator: np.random.Generator, count: int) -> Floats:
    drawn = generator.integers(0, len(x), size=(count, len(x)))
    return _correlated(*_left(x[drawn], y[drawn], apart[drawn]))


def _left(x: Floats, y: Floats, apart: Floats) -> tuple[Floats, Floats]:
    """What the ranks of x and y [samples, n] have beyond those of apart [samples, n, k], centred."""
    ranks = [stats.rankdata(values, axis=1) for values in (x, y)]
    one, other = (values - values.mean(axis=1, keepdims=True) for values in ranks)
    if not apart.shape[2]:
        return one, other
    beside = stats.rankdata(apart, axis=1)
    beside = beside - beside.mean(axis=1, keepdims=True)
    inverse = np.linalg.pinv(beside)  # [samples, k, n]

    def beyond(values: Floats) -> Floats:
        return np.asarray(values - (beside @ (inverse @ values[..., None]))[..., 0])

    return beyond(one), beyond(other)


def _normed(values: Floats) -> Floats:
    """Scaled to length 1; NaN where what is left is nothing but rounding."""
    length = np.sqrt((values**2).sum(axis=1, keepdims=True))
    return np.asarray(values / np.where(length > 1e-6 * values.shape[1], length, np.nan))


def _correlated(one: Floats, other: Floats) -> Floats:
    return np.asarray((_normed(one) * _normed(other)).sum(axis=1))
