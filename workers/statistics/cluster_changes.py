"""How well two clusters separate two groups of names before and after a change of the model, name by name."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.intervals import expanded_tail, resampled_error
from workers.statistics.threads import one_thread
from workers.statistics.units import Floats

DRAWS, RESAMPLES, STARTS, STEPS = 999, 1000, 10, 30
"""Exchanges of the two versions, resamples of the names, starts of two-means, and its most steps."""
BATCH = 200
TOLERANCE = 1e-9
Ints = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class AccuracyChange:
    """The accuracy of two clusters after minus before, with interval and tests; NaN where undefined."""

    value: float
    low: float
    high: float
    p_value: float
    equivalence_p: float
    least_p: float


def accuracy_change(
    before: Floats,
    after: Floats,
    in_a: npt.NDArray[np.bool_],
    *,
    seed: int,
    draws: int = DRAWS,
    resamples: int = RESAMPLES,
    margin: float = np.nan,
    level: float = 0.95,
) -> AccuracyChange | None:
    """Compare the accuracies max(a, 1 - a) of two-means on `before` and `after` [names, words]; `in_a` [names].

    p exchanges the two vectors of each name at random, after taking off each version's mean, and clusters anew: so it
    counts that clusters of equal quality may come out otherwise. Interval and standard error draw names within groups
    and cluster anew. Returns None where all vectors of a version are equal.
    Source: An et al. 2023, Tables 2 and 9, compare accuracies without a test. The test and the interval are ours.
    """
    if any((one == one[0]).all() for one in (before, after)):
        return None
    random = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(12, len(in_a))))
    whole = np.concatenate([one - one.mean(axis=0) for one in (before, after)])
    with one_thread():
        products = whole @ whole.T
        value = round(float(_changes(products, _rows(len(in_a), 1), np.ones((1, len(in_a))), in_a, random)[0]), 12)
        exchanged = _rows(len(in_a), draws, random.random((draws, len(in_a))) < 0.5)
        null = _changes(products, exchanged, np.ones((draws, len(in_a))), in_a, random)
        times = _times_drawn(in_a, resamples, random)
        resampled = _changes(products, _rows(len(in_a), resamples), times, in_a, random)
    low, high = np.quantile(resampled, _tails(in_a, level))
    return AccuracyChange(
        value=value,
        low=min(float(low), value),
        high=max(float(high), value),
        p_value=(1 + int((np.abs(null) >= abs(value) - TOLERANCE).sum())) / (draws + 1),
        equivalence_p=_equivalence_p(value, float(resampled_error(resampled, len(in_a))), len(in_a), margin),
        least_p=1 / (draws + 1),
    )


def _tails(in_a: npt.NDArray[np.bool_], level: float) -> tuple[float, float]:
    tail = expanded_tail(max(2, int(min(in_a.sum(), (~in_a).sum()))), level)
    return tail, 1 - tail


def _equivalence_p(value: float, error: float, names: int, margin: float) -> float:
    """Return the larger p of two one-sided t tests; if no resample differs, that of no name among all (METHODS 1a)."""
    if np.isnan(margin) or error > TOLERANCE:
        return float(stats.t.sf((margin - abs(value)) / error, names - 1)) if error else np.nan
    return float((1 - margin) ** names)


def _rows(names: int, size: int, exchanged: npt.NDArray[np.bool_] | None = None) -> Ints:
    """Return the rows of both versions' vectors, [2, size, names]: those of before, then those of after."""
    after = np.zeros((size, names), dtype=np.bool_) if exchanged is None else exchanged
    places = np.arange(names)
    return np.stack([places + names * after, places + names * ~after]).astype(np.intp)


def _times_drawn(in_a: npt.NDArray[np.bool_], resamples: int, random: np.random.Generator) -> Floats:
    """Return how often each name is drawn in each resample, within its group, [resamples, names]."""
    times = np.zeros((resamples, len(in_a)))
    for side in (in_a, ~in_a):
        size = int(side.sum())
        times[:, side] = random.multinomial(size, np.full(size, 1 / size), size=resamples)
    return times


def _changes(
    products: Floats, rows: Ints, times: Floats, in_a: npt.NDArray[np.bool_], random: np.random.Generator
) -> Floats:
    """Return the accuracy of the second version minus that of the first in each draw, [draws]."""
    parts = []
    for start in range(0, len(times), BATCH):
        weights = times[start : start + BATCH]
        starts = _starts(weights, random)
        found = [_accuracies(products, own[start : start + BATCH], weights, starts, in_a) for own in rows]
        parts.append(found[1] - found[0])
    return np.concatenate(parts)


def _starts(weights: Floats, random: np.random.Generator) -> Ints:
    """Return the names at which the clusters start, two different ones that are drawn, [draws, STARTS, 2]."""
    keys = random.random((len(weights), STARTS, weights.shape[1]))
    keys[np.broadcast_to((weights == 0)[:, None, :], keys.shape)] = 2.0
    return np.argpartition(keys, 1, axis=2)[:, :, :2]


def _accuracies(products: Floats, rows: Ints, weights: Floats, starts: Ints, in_a: npt.NDArray[np.bool_]) -> Floats:
    """Return the accuracy of the tightest of STARTS two-means of each draw, [draws]."""
    own = products[rows[:, :, None], rows[:, None, :]]
    inside = _two_means(own, weights, starts)
    right = ((inside == in_a) * weights).sum(axis=1) / weights.sum(axis=1)
    return np.asarray(np.maximum(right, 1 - right))


def _two_means(products: Floats, weights: Floats, starts: Ints) -> npt.NDArray[np.bool_]:
    """Return which names are in the second of two clusters, [draws, names], by Lloyd's steps on inner products."""
    lengths = np.diagonal(products, axis1=1, axis2=2)[:, None, :]
    draws = np.arange(len(products))[:, None]
    near = [lengths[draws, 0, starts[:, :, side], None] - 2 * products[draws, starts[:, :, side]] for side in (0, 1)]
    inside, distances = near[1] < near[0], near
    for _ in range(STEPS):
        distances = [_distances(products, weights[:, None, :] * side) for side in (~inside, inside)]
        moved = distances[1] < distances[0]
        if (moved == inside).all():
            break
        inside = moved
    spread = ((lengths + np.minimum(*distances)) * weights[:, None, :]).sum(axis=2)
    return np.asarray(inside[draws[:, 0], spread.argmin(axis=1)])


def _distances(products: Floats, members: Floats) -> Floats:
    """Return the squared distances to the clusters' means, without each vector's own length, [draws, starts, names]."""
    sizes = members.sum(axis=2, keepdims=True)
    sums = members @ products
    within = (sums * members).sum(axis=2, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = within / sizes**2 - 2 * sums / sizes
    return np.asarray(np.where(sizes > 0, found, np.inf))
