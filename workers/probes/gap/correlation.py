"""Rank correlations of passages, also partial ones."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.correlations.correlation_equivalence import equivalence_p
from workers.statistics.intervals import expanded_tail

Floats = npt.NDArray[np.float64]
AT_ONCE = 250


@dataclass(frozen=True, slots=True)
class Correlation:
    """Spearman's rho with its bootstrap interval and two-sided permutation p; NaN if a side is constant.

    `equivalence_p` is that of |rho| < margin; NaN without a margin.
    """

    value: float
    ci_low: float
    ci_high: float
    p_value: float
    equivalence_p: float


UNDEFINED = Correlation(*[float("nan")] * 5)


def rank_correlation(
    x: Floats,
    y: Floats,
    apart: Floats,
    *,
    seed: int,
    resamples: int,
    permutations: int,
    level: float,
    margin: float = np.nan,
) -> Correlation:
    """Return Spearman's rho of x and y [n], or the partial one given `apart` [n, k] (k may be 0).

    Partial: the ranks of x and y are regressed on those of `apart`, and the residuals are correlated. p permutes the
    residuals of y and takes `apart` out of them again, or few passages would reject too often. The interval resamples
    passages and ranks them again. The equivalence p is the larger one of two one-sided t tests on Fisher's scale with
    the bootstrap's standard error (METHODS 1a, ours).
    Source: Kendall 1942, "Partial Rank Correlation", for the idea; Freedman and Lane 1983, "A Nonstochastic
    Interpretation of Reported Significance Levels", for p; Phipson and Smyth 2010 for (b + 1)/(m + 1).
    """
    left = _left(x[None], y[None], apart[None])
    value = float(_correlated(*left)[0])
    if np.isnan(value):
        return UNDEFINED
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(5, len(x))))
    anew = np.concatenate([_resampled(x, y, apart, generator, part) for part in _parts(resamples)])
    tail = expanded_tail(len(x), level)
    low, high = np.nanquantile(anew, [tail, 1 - tail])
    drawn = np.concatenate([_exchanged(*left, apart, generator, part) for part in _parts(permutations)])
    extreme = np.count_nonzero(np.abs(drawn) >= abs(value) - 1e-9)
    p_value = (extreme + 1) / (permutations + 1)
    return Correlation(value, float(low), float(high), p_value, equivalence_p(value, anew, margin, len(x)))


def _parts(count: int) -> list[int]:
    return [min(AT_ONCE, count - start) for start in range(0, count, AT_ONCE)]


def _resampled(x: Floats, y: Floats, apart: Floats, generator: np.random.Generator, count: int) -> Floats:
    drawn = generator.integers(0, len(x), size=(count, len(x)))
    beside = np.empty((count, *apart.shape))
    for column in range(apart.shape[1]):
        beside[..., column] = _ranks_of_drawn(apart[:, column], drawn)
    return _correlated(*(_beyond(_ranks_of_drawn(values, drawn), beside) for values in (x, y)))


def _ranks_of_drawn(values: Floats, drawn: npt.NDArray[np.int64]) -> Floats:
    """Return the centred ranks of values [n] in each of the samples that draw them, [samples, n].

    Ranks follow from how often each distinct value is drawn, so that no sample needs to be sorted.
    """
    distinct, number = np.unique(values, return_inverse=True)
    start = np.arange(len(drawn))[:, None] * len(distinct)
    place = number[drawn] + start
    times = np.bincount(place.ravel(), minlength=len(drawn) * len(distinct)).reshape(len(drawn), -1)
    ranks = times.cumsum(axis=1) - (times - 1) / 2
    return np.asarray(ranks.ravel()[place] - (drawn.shape[1] + 1) / 2)


def _left(x: Floats, y: Floats, apart: Floats) -> tuple[Floats, Floats]:
    """Return the residuals of the ranks of x and y [samples, n] on those of `apart` [samples, n, k], centred."""
    beside = _centred_ranks(apart)
    return _beyond(_centred_ranks(x), beside), _beyond(_centred_ranks(y), beside)


def _exchanged(one: Floats, other: Floats, apart: Floats, generator: np.random.Generator, count: int) -> Floats:
    """Return the correlations of the residuals of one side [1, n] with permuted ones of the other [1, n], [count]."""
    drawn = generator.permuted(np.tile(other, (count, 1)), axis=1)
    return _correlated(one, _beyond(drawn, _centred_ranks(apart[None])))


def _centred_ranks(values: Floats) -> Floats:
    """Return ranks along axis 1, minus their mean."""
    ranks = stats.rankdata(values, axis=1)
    return np.asarray(ranks - ranks.mean(axis=1, keepdims=True))


def _beyond(values: Floats, beside: Floats) -> Floats:
    """Return the residuals of centred values [samples, n] on centred ones [samples, n, k]; k may be 0."""
    left, columns = values, [beside[..., column] for column in range(beside.shape[2])]
    while columns:
        towards = np.nan_to_num(_normed(columns.pop()))
        left = left - _along(left, towards)
        columns = [column - _along(column, towards) for column in columns]
    return left


def _along(values: Floats, towards: Floats) -> Floats:
    """Return the part of values along directions of length 1, row by row."""
    return np.asarray((values * towards).sum(axis=1, keepdims=True) * towards)


def _normed(values: Floats) -> Floats:
    """Return the values scaled to length 1; NaN if they are rounding errors only."""
    length = np.sqrt((values**2).sum(axis=1, keepdims=True))
    return np.asarray(values / np.where(length > 1e-6 * values.shape[1], length, np.nan))


def _correlated(one: Floats, other: Floats) -> Floats:
    return np.asarray((_normed(one) * _normed(other)).sum(axis=1))
