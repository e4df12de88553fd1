"""Permutation tests of many words between two groups of names, with the same splits of the names for all words."""

import itertools
import math
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from workers.statistics.threads import one_thread
from workers.statistics.units import Floats

Singles = npt.NDArray[np.float32]
Counts = npt.NDArray[np.int64]
Pair = tuple[Floats, Floats]
"""The success rates of the names of two groups, [names, words] each, with the same words; NaN is undefined."""

# Splits and words that are processed together. Their statistics, 1 MiB, stay in the cache of one core.
SPLITS, WORDS = 512, 512
# Sums of integers below 2^24 are exact in float32, regardless of order, library and threads.
_LARGEST = 2.0**23


@dataclass(frozen=True)
class NameTests:
    """Tests as arrays [words]; NaN if a group has no name with a defined value.

    `p_value` is two-sided and counts ties. `familywise_p_value` is corrected over the words of the pair. `strict` is
    the paper's share of splits that are strictly more extreme, which may be 0.
    """

    p_value: Floats
    familywise_p_value: Floats
    strict: Floats
    splits: int
    exact: bool


def permute_names(
    pairs: Sequence[Pair], *, seed: int, draws: int = 1_000_000, threads: int | None = None
) -> list[NameTests]:
    """Test for each word whether names of A and of B mislead equally often, by |mean over A - mean over B|.

    If there are at most `draws` splits C(|A| + |B|, |A|) of the names, all are used: p = (splits at least as
    extreme)/(all splits). Otherwise p = (b + 1)/(m + 1), where b of m = `draws` random splits are at least as extreme.
    Pairs of groups of the same sizes use the same splits. Undefined values move with their names: each mean is over the
    defined values that it gets. A split that leaves a side without a defined value does not count for that word.
    The familywise p-value compares a word with the largest standardised statistic among all words of its pair under the
    same splits. Values are rounded to 1 in 2 million, and closer ones count as ties. The result does not depend on
    `threads` (None: all cores) or on other pairs and words. Raises ValueError for a group without names, for groups
    with different words, and for `draws` below 1.
    Source: An et al. 2023, section 3.2, equation 5 (strict); Phipson and Smyth 2010, "Permutation P-values Should Never
    Be Zero"; Westfall and Young 1993, "Resampling-Based Multiple Testing", section 2.6 (single-step maximum).
    """
    if draws < 1 or any(not len(x) or not len(y) or x.shape[1] != y.shape[1] for x, y in pairs):
        raise ValueError("two groups with a name each and the same words, and at least one draw, are needed")
    found: dict[int, NameTests] = {}
    sizes = [(len(x), len(y)) for x, y in pairs]
    workers = threads or len(os.sched_getaffinity(0))
    # The library's own threads would wait for one another, because the matrices are small and many.
    with one_thread(), ThreadPoolExecutor(workers) as pool:
        for size in dict.fromkeys(sizes):
            members = [number for number, one in enumerate(sizes) if one == size]
            layouts = [_layouts(*pairs[number]) for number in members]
            words = [pairs[number][0].shape[1] for number in members]
            found |= zip(members, _tested(layouts, words, size, seed, draws, pool), strict=True)
    return [found[number] for number in range(len(pairs))]


@dataclass(frozen=True, slots=True)
class _Layout:
    """Some words of a pair. Values are centred, scaled to length 1 per word and rounded to integers.

    Undefined values are 0.
    """

    words: npt.NDArray[np.intp]
    values: Singles  # [words, names]
    known: Singles | None  # [words, names], 1 if defined; None: everywhere
    scale: Singles  # [words, 1]: puts statistics over few names on the scale of one over all names
    tolerance: float

    def statistics(self, members: Singles, out: Singles | None = None) -> Singles:
        """Return |statistic| [words, splits], in one unit for all words; NaN if a side has no defined value."""
        sums = np.matmul(self.values, members, out=out)
        np.abs(sums, out=sums)
        if self.known is not None:
            counts, all_counts = self.known @ members, self.known.sum(axis=1, keepdims=True)
            with np.errstate(divide="ignore", invalid="ignore"):
                sums *= self.scale / (counts * (all_counts - counts))
        return sums


def _layouts(x: Floats, y: Floats) -> list[_Layout]:
    """Return layouts of at most WORDS words; words that all names have are apart from those that some names lack."""
    values = np.concatenate([x, y]).T  # [words, names]
    known = ~np.isnan(values)
    tested = known[:, : len(x)].any(axis=1) & known[:, len(x) :].any(axis=1)
    whole = known.all(axis=1)
    return [
        _layout(values, known, positions[start : start + WORDS], len(x), complete=complete)
        for complete in (True, False)
        for positions in [np.flatnonzero(tested & (whole == complete))]
        for start in range(0, len(positions), WORDS)
    ]


def _layout(
    values: Floats, known: npt.NDArray[np.bool_], words: npt.NDArray[np.intp], size: int, *, complete: bool
) -> _Layout:
    own, there = values[words], known[words]
    names, defined = there.shape[1], there.sum(axis=1, keepdims=True)
    centred = np.where(there, own - np.nanmean(own, axis=1, keepdims=True), 0.0)
    lengths = np.linalg.norm(centred, axis=1, keepdims=True)
    # Equal values leave rounding errors without a direction. Every split then ties with the observed one.
    spread = lengths > 1e-12 * np.nanmax(np.abs(own), axis=1, keepdims=True)
    unit = _LARGEST / math.sqrt(names)
    directions = np.round(np.divide(centred, lengths, out=np.zeros_like(centred), where=spread) * unit)
    in_a = there[:, :size].sum(axis=1, keepdims=True)
    # The variance of a mean difference of unit vectors is C / ((C - 1) c (C - c)). Words that all names have get 1.
    of_whole = names * (names - 1) / (size * (names - size))
    scale = np.sqrt(defined * np.maximum(defined - 1, 1) * in_a * (defined - in_a) / of_whole)
    largest = 1.0 if complete else float((scale / np.maximum(defined - 1, 1)).max())
    return _Layout(
        words,
        directions.astype(np.float32),
        None if complete else there.astype(np.float32),
        scale.astype(np.float32),
        names * max(1.0, largest),
    )


@dataclass(slots=True)
class _Tally:
    """Counts of splits by word of one pair.

    A split is `reached` if its statistic is at least as extreme as the observed one, `exceeded` if it is more extreme,
    `undefined` if it has none. `maximum` counts splits whose largest statistic over all words is at least as extreme.
    """

    reached: Counts
    exceeded: Counts
    undefined: Counts
    maximum: Counts

    @classmethod
    def of(cls, words: int) -> "_Tally":
        return cls(*np.zeros((4, words), dtype=np.int64))

    def add(self, other: "_Tally") -> None:
        for own, more in zip(self._all(), other._all(), strict=True):
            own += more

    def _all(self) -> tuple[Counts, ...]:
        return self.reached, self.exceeded, self.undefined, self.maximum


def _tested(
    layouts: list[list[_Layout]],
    words: list[int],
    size: tuple[int, int],
    seed: int,
    draws: int,
    pool: ThreadPoolExecutor,
) -> Iterator[NameTests]:
    """Yield the tests of the pairs whose groups have these sizes."""
    names = sum(size)
    count = math.comb(names, size[0])
    exact = count <= draws
    as_observed = np.zeros((names, 1), dtype=np.float32)
    as_observed[: size[0]] = 1
    observed = [[one.statistics(as_observed) for one in own] for own in layouts]
    totals = [_Tally.of(number) for number in words]
    for tallies in pool.map(partial(_counted, layouts, observed, words), _splits(size, seed, draws, exact=exact)):
        for total, tally in zip(totals, tallies, strict=True):
            total.add(tally)
    splits = count if exact else draws
    for own, total in zip(layouts, totals, strict=True):
        yield _named(own, total, splits, exact=exact)


def _counted(
    layouts: list[list[_Layout]], observed: list[list[Singles]], words: list[int], split: Callable[[], Singles]
) -> list[_Tally]:
    """Return the counts of some splits for each pair."""
    members = split()
    # Used again for each pair, because allocating such memory takes as long as filling it.
    room = np.empty((WORDS, members.shape[1]), dtype=np.float32)
    hits = np.empty(room.shape, dtype=np.bool_)
    found = []
    for own, seen, number in zip(layouts, observed, words, strict=True):
        tally, maxima = _Tally.of(number), np.zeros(members.shape[1], dtype=np.float32)
        for one, at_least in zip(own, seen, strict=True):
            rows = slice(len(one.words))
            drawn, hit = one.statistics(members, room[rows]), hits[rows]
            tally.reached[one.words] = _row_counts(np.greater_equal(drawn, at_least - one.tolerance, out=hit))
            tally.exceeded[one.words] = _row_counts(np.greater(drawn, at_least + one.tolerance, out=hit))
            if one.known is not None:
                tally.undefined[one.words] = _row_counts(np.isnan(drawn, out=hit))
                np.nan_to_num(drawn, copy=False, nan=0.0)
            np.maximum(maxima, drawn.max(axis=0), out=maxima)
        maxima.sort()
        for one, at_least in zip(own, seen, strict=True):
            tally.maximum[one.words] = len(maxima) - np.searchsorted(maxima, (at_least - one.tolerance)[:, 0])
        found.append(tally)
    return found


def _row_counts(hits: npt.NDArray[np.bool_]) -> Counts:
    return np.asarray(hits.view(np.uint8).sum(axis=1, dtype=np.uint32), dtype=np.int64)


def _named(layouts: list[_Layout], total: _Tally, splits: int, *, exact: bool) -> NameTests:
    """Convert counts to p-values. The observed split is among all splits, and is added to random ones."""
    p, familywise, strict = np.full((3, len(total.reached)), np.nan)
    words = np.concatenate([one.words for one in layouts]) if layouts else np.zeros(0, dtype=np.intp)
    added = 0 if exact else 1
    counted = splits - total.undefined[words]
    p[words] = (total.reached[words] + added) / (counted + added)
    strict[words] = total.exceeded[words] / np.maximum(counted, 1)
    familywise[words] = np.maximum(p[words], (total.maximum[words] + added) / (splits + added))
    return NameTests(p, familywise, strict, splits, exact)


def _splits(size: tuple[int, int], seed: int, draws: int, *, exact: bool) -> Iterator[Callable[[], Singles]]:
    """Yield functions that return SPLITS splits each, [names, splits]: 1 for the names of one side and 0 for the other.

    An enumeration marks the smaller side, because a two-sided statistic does not depend on the side.
    """
    names = sum(size)
    if exact:
        every = itertools.combinations(range(names), min(size))
        while places := list(itertools.islice(every, SPLITS)):
            yield partial(_marked, places, names)
        return
    for number, start in enumerate(range(0, draws, SPLITS)):
        sequence = np.random.SeedSequence(seed, spawn_key=(7, *size, number))
        yield partial(_shuffled, sequence, size, min(SPLITS, draws - start))


def _marked(places: list[tuple[int, ...]], names: int) -> Singles:
    members = np.zeros((len(places), names), dtype=np.float32)
    np.put_along_axis(members, np.array(places), 1.0, axis=1)
    return np.ascontiguousarray(members.T)


def _shuffled(sequence: np.random.SeedSequence, size: tuple[int, int], splits: int) -> Singles:
    sides = np.repeat(np.array([1, 0], dtype=np.uint8), size)
    drawn = np.random.default_rng(sequence).permuted(np.tile(sides, (splits, 1)), axis=1)
    return np.ascontiguousarray(drawn.T, dtype=np.float32)
