"""Reliability of a ranking over other sentences, by split halves of the kinds of sentence."""

from dataclasses import dataclass

import numpy as np

from workers.statistics.known import mean_of_known
from workers.statistics.units import Floats

SPLITS = 200
WANTED = 0.8
LEAST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Reliability:
    """Reliability of the order of words by their means over kinds; NaN is undefined."""

    value: float
    """0 if halves agree no more than by chance. NaN below two kinds or three words."""
    kinds_needed: float
    """Number of kinds for a reliability of WANTED; NaN if the value is 0."""


def split_half_reliability(table: Floats, seed: int) -> Reliability:
    """Return the split-half reliability of values [words, kinds], stepped up by Spearman and Brown.

    r is Pearson's correlation of the words' means in two random halves of the kinds, averaged over SPLITS seeded
    splits. The reliability of all kinds is 2r / (1 + r), or 0 for a negative r. NaN cells are left out of the means; a
    word without a value in a half is left out of that split.
    Source: Spearman 1910 and Brown 1910, British Journal of Psychology 3.
    """
    words, kinds = table.shape
    if words < LEAST_WORDS or kinds < 2:
        return Reliability(np.nan, np.nan)
    first = _first_halves(kinds, seed)
    r = float(mean_of_known(_correlations(_means(table, first), _means(table, ~first)), axis=0))
    value = 2 * r / (1 + r) if r > 0 else r * 0
    return Reliability(value, kinds_needed(value, kinds))


def kinds_needed(value: float, kinds: int) -> float:
    """Return how many kinds give a reliability of WANTED if `kinds` give the reliability `value` (Spearman-Brown)."""
    if not value > 0:
        return np.nan
    exact = kinds * WANTED / (1 - WANTED) * (1 - value) / value
    return max(1.0, float(np.ceil(exact - 1e-9)))


def _first_halves(kinds: int, seed: int) -> np.ndarray[tuple[int, int], np.dtype[np.bool_]]:
    """Return which kinds are in the first half of each split, [kinds, splits]."""
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(5, kinds)))
    order = generator.permuted(np.tile(np.arange(kinds), (SPLITS, 1)), axis=1)
    return np.asarray((order < kinds // 2).T)


def _means(table: Floats, half: np.ndarray[tuple[int, int], np.dtype[np.bool_]]) -> Floats:
    """Return each word's mean over the kinds of a half, [words, splits]."""
    known = ~np.isnan(table)
    count = known.astype(np.float64) @ half
    means = np.full(count.shape, np.nan)
    np.divide(np.where(known, table, 0.0) @ half, count, out=means, where=count > 0)
    return means


def _correlations(one: Floats, other: Floats) -> Floats:
    """Return Pearson's r over the words of each split, [splits]; NaN below LEAST_WORDS words or for constant means."""
    known = ~(np.isnan(one) | np.isnan(other))
    x, y = (np.where(known, values - mean_of_known(values, 0, known), 0.0) for values in (one, other))
    scale = np.sqrt((x**2).sum(axis=0) * (y**2).sum(axis=0))
    r = np.full(scale.shape, np.nan)
    np.divide((x * y).sum(axis=0), scale, out=r, where=(scale > 1e-12) & (known.sum(axis=0) >= LEAST_WORDS))
    return r
