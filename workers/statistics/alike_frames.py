"""Frames of sentences that behave as one: their scores of words rise and fall together."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse.csgraph import connected_components

from workers.statistics.units import Floats

ALIKE = 0.5
"""Frames that correlate less are never linked."""
LEVEL = 0.05
FEWEST_WORDS = 5


@dataclass(frozen=True, slots=True)
class AlikeFrames:
    """The numbers of frames that behave as one, and their mean correlation."""

    frames: tuple[int, ...]
    correlation: float


def alike_frames(values: Floats, *, seed: int, draws: int = 199) -> list[AlikeFrames]:
    """Clusters of frames in values [frames, contrasts, words], differences between groups; the first frame's first.

    Each word's mean over frames is taken out, and each frame's mean over words. Frames are linked (single linkage)
    that correlate over what is left above 0.5, and above the largest correlation that 95% of permutations of the words
    within each frame give: few words make independent frames look alike. The closest cluster is then taken as one frame
    and the others are looked at anew, since it shifts the means that are taken out of them. Words that some frame
    cannot score are left out; below five words nothing is found. Where all frames are alike, none of them stands out.
    Source: METHODS 1a (ours).
    """
    table = values[:, :, ~np.isnan(values).any(axis=(0, 1))]
    members: list[tuple[int, ...]] = [(number,) for number in range(len(table))]
    closeness: dict[tuple[int, ...], float] = {}
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(13, *table.shape)))
    while len(table) > 1 and table.shape[2] >= FEWEST_WORDS and (found := _closest(table, generator, draws)):
        table, members = _as_one(table, members, found.frames)
        closeness[members[0]] = found.correlation
    return [AlikeFrames(one, closeness[one]) for one in sorted(members) if len(one) > 1]


def _closest(table: Floats, generator: np.random.Generator, draws: int) -> AlikeFrames | None:
    """Of the clusters of linked frames the one with the highest mean correlation."""
    left = _residuals(table)
    found = _correlations(left)
    linked = found > max(ALIKE, _largest_by_chance(left, generator, draws))
    clusters = [AlikeFrames(one, _mean_correlation(found, one)) for one in _clusters(linked) if len(one) > 1]
    return max(clusters, key=lambda one: one.correlation, default=None)


def _residuals(table: Floats) -> Floats:
    without_words = table - table.mean(axis=0)
    return np.asarray(without_words - without_words.mean(axis=2, keepdims=True))


def _correlations(left: Floats) -> Floats:
    """Of frames [frames, contrasts, words] whose rows are centred; 0 for a frame in which nothing varies."""
    rows = left.reshape(len(left), -1)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    directions = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 1e-12)
    return np.asarray(directions @ directions.T)


def _clusters(linked: npt.NDArray[np.bool_]) -> Iterator[tuple[int, ...]]:
    count, cluster = connected_components(linked, directed=False)
    yield from (tuple(np.flatnonzero(cluster == number).tolist()) for number in range(count))


def _largest_by_chance(left: Floats, generator: np.random.Generator, draws: int) -> float:
    """What the largest correlation of two frames does not exceed in 95% of permutations."""
    pairs = np.triu_indices(len(left), 1)
    largest = [_correlations(_permuted(left, generator))[pairs].max(initial=0.0) for _ in range(draws)]
    return float(np.quantile(largest, 1 - LEVEL, method="higher"))


def _permuted(left: Floats, generator: np.random.Generator) -> Floats:
    """Each frame with its words in an order of its own, the same for all contrasts."""
    orders: npt.NDArray[np.intp] = np.argsort(generator.random((len(left), left.shape[2])), axis=1)
    return np.take_along_axis(left, orders[:, None, :], axis=2)


def _mean_correlation(correlations: Floats, frames: tuple[int, ...]) -> float:
    own = correlations[np.ix_(frames, frames)]
    return float(own[np.triu_indices(len(frames), 1)].mean())


def _as_one(
    table: Floats, members: list[tuple[int, ...]], frames: tuple[int, ...]
) -> tuple[Floats, list[tuple[int, ...]]]:
    """The table with the mean of these frames in their place, which stands first."""
    others = [number for number in range(len(table)) if number not in frames]
    joined = tuple(sorted(one for number in frames for one in members[number]))
    mean = table[list(frames)].mean(axis=0, keepdims=True)
    return np.concatenate([mean, table[others]]), [joined, *(members[number] for number in others)]
