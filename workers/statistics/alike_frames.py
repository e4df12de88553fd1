"""Frames of sentences that behave as one, because their scores of words rise and fall together."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components

from workers.statistics.units import Floats

ALIKE = 0.5
"""Two frames are linked only if their correlation is higher than this."""
LEVEL = 0.05
FEWEST_WORDS = 5


@dataclass(frozen=True, slots=True)
class AlikeFrames:
    """The numbers of frames that behave as one, and their mean correlation."""

    frames: tuple[int, ...]
    correlation: float


def alike_frames(values: Floats, *, seed: int, draws: int = 199) -> list[AlikeFrames]:
    """Return the clusters of frames that behave as one, ordered by their first frame.

    `values` [frames, contrasts, words] holds differences between groups. Each word's mean over frames and each frame's
    mean over words are removed. Two frames are linked (single linkage) when the remaining values correlate above 0.5,
    and above the 95% point of the largest correlation under permutation of the words within each frame. Without the
    permutation, few words would make independent frames look alike. The closest cluster is then replaced by its mean
    and the search starts again, because the cluster shifts the means that are removed from the other frames. Words that
    some frame cannot score are left out. With fewer than five words the result is empty. If all frames are alike, no
    cluster differs.
    Source: METHODS 1a (ours).
    """
    table = values[:, :, ~np.isnan(values).any(axis=(0, 1))]
    members: list[tuple[int, ...]] = [(number,) for number in range(len(table))]
    closeness: dict[tuple[int, ...], float] = {}
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(13, *table.shape)))
    while len(table) > 1 and table.shape[2] >= FEWEST_WORDS and (found := _closest(table, generator, draws)):
        table, members = _merge_frames(table, members, found.frames)
        closeness[members[0]] = found.correlation
    return [AlikeFrames(one, closeness[one]) for one in sorted(members) if len(one) > 1]


def _closest(table: Floats, generator: np.random.Generator, draws: int) -> AlikeFrames | None:
    """Return the cluster of linked frames with the highest mean correlation, or None without a cluster."""
    left = _residuals(table)
    found = _correlations(left)
    linked = found > max(ALIKE, _largest_by_chance(left, generator, draws))
    clusters = [AlikeFrames(one, _mean_correlation(found, one)) for one in _clusters(linked) if len(one) > 1]
    return max(clusters, key=lambda one: one.correlation, default=None)


def _residuals(table: Floats) -> Floats:
    without_words = table - table.mean(axis=0)
    return np.asarray(without_words - without_words.mean(axis=2, keepdims=True))


def _correlations(left: Floats) -> Floats:
    """Return the correlations [frames, frames] of centred frames [frames, contrasts, words]; 0 for a constant frame."""
    rows = left.reshape(len(left), -1)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    directions = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 1e-12)
    return np.asarray(directions @ directions.T)


def _clusters(linked: npt.NDArray[np.bool_]) -> Iterator[tuple[int, ...]]:
    count, cluster = connected_components(linked, directed=False)
    yield from (tuple(np.flatnonzero(cluster == number).tolist()) for number in range(count))


def _largest_by_chance(left: Floats, generator: np.random.Generator, draws: int) -> float:
    """Return the 95% point of the largest correlation between two frames under permutation of the words."""
    pairs = np.triu_indices(len(left), 1)
    largest = [_correlations(_permuted(left, generator))[pairs].max(initial=0.0) for _ in range(draws)]
    return float(np.quantile(largest, 1 - LEVEL, method="higher"))


def _permuted(left: Floats, generator: np.random.Generator) -> Floats:
    """Return each frame with its words in a random order of its own, which is the same for all contrasts."""
    orders: npt.NDArray[np.intp] = np.argsort(generator.random((len(left), left.shape[2])), axis=1)
    return np.take_along_axis(left, orders[:, None, :], axis=2)


def _mean_correlation(correlations: Floats, frames: tuple[int, ...]) -> float:
    own = correlations[np.ix_(frames, frames)]
    return float(own[np.triu_indices(len(frames), 1)].mean())


def _merge_frames(
    table: Floats, members: list[tuple[int, ...]], frames: tuple[int, ...]
) -> tuple[Floats, list[tuple[int, ...]]]:
    """Replace the given frames by their mean, which becomes the first row.

    Return the table and the members of each row.
    """
    others = [number for number in range(len(table)) if number not in frames]
    joined = tuple(sorted(one for number in frames for one in members[number]))
    mean = table[list(frames)].mean(axis=0, keepdims=True)
    return np.concatenate([mean, table[others]]), [joined, *(members[number] for number in others)]
