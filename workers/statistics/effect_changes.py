"""The change of an effect size of two sets of words from one run to another, paired by word."""

import numpy as np
import numpy.typing as npt

from workers.statistics.jackknife import Jackknifed, jackknifed
from workers.statistics.set_tests import cut_places
from workers.statistics.units import Floats

Mask = npt.NDArray[np.bool_]


def effect_change(
    before: Floats,
    after: Floats,
    in_x: Mask,
    *,
    cuts: int,
    seed: int,
    margin: float = np.nan,
    level: float = 0.95,
) -> Jackknifed:
    """Return the effect size of associations `after` minus that of `before`, both [words], the first set by `in_x`.

    Sets of unequal size are cut as `compare_cut` cuts them, the same words in both runs. The error is the jackknife's
    over words within each set. It holds the standard deviation that divides the effect size, too. Student's t has the
    degrees of freedom of the smaller set: with those of both, intervals of two sets of 8 words cover 0.92. NaN where
    all words of a run are alike. Source: ours, on Caliskan et al. 2017.
    """
    kept = _cut_masks(in_x, cuts, seed)
    value = float(_effect(after, in_x, kept) - _effect(before, in_x, kept))
    without = [
        np.array([_without(before, after, in_x, kept, word) for word in np.flatnonzero(own).tolist()])
        for own in (in_x, ~in_x)
    ]
    smaller = min(map(len, without))
    return jackknifed(value, without, margin=margin, level=level, degrees=smaller - 1)


def _cut_masks(in_x: Mask, cuts: int, seed: int) -> Mask:
    """Return the words that each cut keeps, [cuts, words]; one row of all words for sets of equal size."""
    sides = [np.flatnonzero(own) for own in (in_x, ~in_x)]
    if len(sides[0]) == len(sides[1]):
        return np.ones((1, len(in_x)), dtype=bool)
    places = cut_places(len(sides[0]), len(sides[1]), cuts, seed)
    kept = np.zeros((cuts, len(in_x)), dtype=bool)
    for side, chosen in zip(sides, places, strict=True):
        kept[np.arange(cuts)[:, None], side[chosen]] = True
    return kept


def _without(before: Floats, after: Floats, in_x: Mask, kept: Mask, word: int) -> float:
    others = kept.copy()
    others[:, word] = False
    return _effect(after, in_x, others) - _effect(before, in_x, others)


def _effect(associations: Floats, in_x: Mask, kept: Mask) -> float:
    """Return the mean over cuts of (mean of X - mean of Y) / standard deviation of both together, n - 1."""
    x, y, both = kept & in_x, kept & ~in_x, kept.sum(axis=1)
    difference = x @ associations / x.sum(axis=1) - y @ associations / y.sum(axis=1)
    off = np.where(kept, associations - (kept @ associations / both)[:, None], 0.0)
    spread = np.sqrt((off**2).sum(axis=1) / (both - 1))
    varies = spread > 1e-12 * np.abs(associations).max()
    return float(np.mean(np.divide(difference, spread, out=np.full(len(spread), np.nan), where=varies)))
