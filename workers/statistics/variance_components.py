"""Variance components of scores over words, groups, kinds of sentence and frames, in closed form for crossed tables.

Components follow from mean squares (Henderson's method 1 on a balanced table; Brennan 2001, "Generalizability Theory",
chapters 3 and 4). A negative estimate is set to 0, as is usual. Tables must be complete: see `complete_part`.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workers.statistics.nesting import nested_means
from workers.statistics.units import Floats, Positions


@dataclass(frozen=True, slots=True)
class Components:
    """Variances of the differences of two groups, in the squared unit of the values; NaN cannot be estimated.

    `frame` and `residual` (word x frame) are within a kind. If no kind has two frames they are NaN and are part of
    `kind` and `word_by_kind`.
    """

    word: float
    kind: float
    frame: float
    word_by_kind: float
    residual: float


@dataclass(frozen=True, slots=True)
class ScoreComponents:
    """Variances of the scores, group x word x kind. `frame` and `residual` are as in `Components`."""

    group: float
    word: float
    kind: float
    frame: float
    group_by_word: float
    group_by_kind: float
    word_by_kind: float
    residual: float


def difference_components(values: Floats, kinds: Positions, frames: Positions) -> Components:
    """Return the components of values [words, templates] without NaN.

    `kinds` and `frames` [templates] number the kind and the frame of each template. The expected mean squares of W
    words and K kinds are solved for the components; h, the mean of 1/f over kinds of f frames, is the share of the
    variance within a kind. NaN below two words or kinds.
    """
    by_frame, kind_of_frame = _frames(values, kinds, frames)
    frame, residual = _within_kinds(by_frame, kind_of_frame)
    table = nested_means(by_frame, kind_of_frame).means.by_unit
    if min(table.shape) < 2:
        return Components(*(np.nan,) * 5)
    words, columns = table.shape
    share = float(np.mean(1 / np.bincount(kind_of_frame)))
    of_cells = _interaction(table)
    of_words = float(table.mean(axis=1).var(ddof=1)) - of_cells / columns
    of_kinds = float(table.mean(axis=0).var(ddof=1)) - of_cells / words
    return Components(
        word=_least_0(of_words),
        kind=_least_0(of_kinds - share * _known(frame)),
        frame=_least_0(frame),
        word_by_kind=_least_0(of_cells - share * _known(residual)),
        residual=_least_0(residual),
    )


def score_components(values: Floats, kinds: Positions, frames: Positions) -> ScoreComponents:
    """Return the components of values [groups, words, templates] without NaN; NaN below two groups, words or kinds.

    `residual` holds group x word x kind, and differences between the frames of a kind by group or word.
    """
    groups, words, templates = values.shape
    if min(groups, words) < 2:
        return ScoreComponents(*(np.nan,) * 8)
    by_frame, kind_of_frame = _frames(values.reshape(-1, templates), kinds, frames)
    frame, _ = _within_kinds(by_frame, kind_of_frame)
    table = nested_means(by_frame, kind_of_frame).means.by_unit.reshape(groups, words, -1)
    if table.shape[2] < 2:
        return ScoreComponents(*(np.nan,) * 8)
    share = float(np.mean(1 / np.bincount(kind_of_frame)))
    single = [float(table.mean(axis=_others((axis,))).var(ddof=1)) for axis in range(3)]
    double = {pair: _interaction(table.mean(axis=_others(pair))) for pair in ((0, 1), (0, 2), (1, 2))}
    triple = _triple(table)
    pairs = {pair: found - triple / table.shape[_others(pair)[0]] for pair, found in double.items()}
    alone = [single[axis] - _from_above(axis, pairs, triple, table.shape) for axis in range(3)]
    return ScoreComponents(
        group=_least_0(alone[0]),
        word=_least_0(alone[1]),
        kind=_least_0(alone[2] - share * _known(frame)),
        frame=_least_0(frame),
        group_by_word=_least_0(pairs[0, 1]),
        group_by_kind=_least_0(pairs[0, 2]),
        word_by_kind=_least_0(pairs[1, 2]),
        residual=_least_0(triple),
    )


def complete_part(known: npt.NDArray[np.bool_]) -> tuple[Positions, ...]:
    """Return the positions along each axis that remain when the least known ones are dropped until all cells are known.

    No position of the last axis (templates) is dropped, so that all words have the same sentences.
    """
    kept = [np.arange(size) for size in known.shape]
    left = known
    while left.size and not left.all():
        shares = [left.mean(axis=_others((axis,), left.ndim)) for axis in range(left.ndim - 1)]
        axis = int(np.argmin([share.min() for share in shares]))
        good = shares[axis] > shares[axis].min()
        kept[axis], left = kept[axis][good], np.compress(good, left, axis=axis)
    return tuple(kept)


def _frames(values: Floats, kinds: Positions, frames: Positions) -> tuple[Floats, Positions]:
    """Return means by frame [cells, frames], and the kind of each frame; a frame split between kinds counts as two."""
    (of_kind, _), number = np.unique(np.stack([kinds, frames]), axis=1, return_inverse=True)
    by_frame = nested_means(values, np.asarray(number).ravel()).means.by_unit
    return by_frame, np.unique(of_kind, return_inverse=True)[1]


def _within_kinds(by_frame: Floats, kind_of_frame: Positions) -> tuple[float, float]:
    """Return the variances of frames and of cells x frames within kinds, pooled over kinds with two or more frames."""
    cells = len(by_frame)
    off = by_frame - _mean_by(by_frame, kind_of_frame)
    degrees = by_frame.shape[1] - len(np.unique(kind_of_frame))
    if not degrees or cells < 2:
        return np.nan, np.nan
    of_frames = off.mean(axis=0)
    residual = float(((off - of_frames) ** 2).sum()) / degrees / (cells - 1)
    return float((of_frames**2).sum()) / degrees - residual / cells, residual


def _mean_by(values: Floats, number: Positions) -> Floats:
    """Return each column's mean over the columns with the same number, [cells, columns]."""
    belongs = np.eye(number.max() + 1)[number]
    return np.asarray((values @ belongs / belongs.sum(axis=0)) @ belongs.T)


def _interaction(table: Floats) -> float:
    """Return the mean square of the residuals of an additive fit of rows and columns."""
    rows, columns = table.shape
    off = table - table.mean(axis=1, keepdims=True) - table.mean(axis=0, keepdims=True) + table.mean()
    return float((off**2).sum() / (rows - 1) / (columns - 1))


def _triple(table: Floats) -> float:
    """Return the mean square of the residuals after all means of single axes and of pairs of axes."""
    off = table - table.mean()
    for axis in range(3):
        off -= off.mean(axis=axis, keepdims=True)
    return float((off**2).sum() / np.prod([size - 1 for size in table.shape]))


def _from_above(axis: int, pairs: dict[tuple[int, int], float], triple: float, shape: tuple[int, ...]) -> float:
    """Return what interactions with the other two axes add to the variance of the means along an axis."""
    one, other = _others((axis,))
    of_pairs = pairs[_ordered(axis, one)] / shape[one] + pairs[_ordered(axis, other)] / shape[other]
    return of_pairs + triple / shape[one] / shape[other]


def _ordered(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _others(axes: tuple[int, ...], dimensions: int = 3) -> tuple[int, ...]:
    return tuple(axis for axis in range(dimensions) if axis not in axes)


def _least_0(variance: float) -> float:
    return variance if np.isnan(variance) else max(variance, 0.0)


def _known(variance: float) -> float:
    return 0.0 if np.isnan(variance) else variance
