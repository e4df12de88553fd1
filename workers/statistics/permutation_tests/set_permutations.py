"""Permutation test of two sets: how many other splits of the same values differ at least as much."""

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plumbline.spec.power.attainable_p import EXACT_SPLITS
from workers.statistics.chunks import chunks
from workers.statistics.permutation_tests.sign_flips import TIE
from workers.statistics.units import Floats


@dataclass(frozen=True)
class SetTest:
    """The result of a set test. `p_value` is two-sided and counts splits at least as extreme.

    `one_sided` is the share of strictly greater splits. As in the papers, the observed split is not added, so it can be
    0.
    """

    p_value: float
    one_sided: float
    splits: int
    exact: bool


def permute_sets(x: Floats, y: Floats, *, seed: int, draws: int = 10_000, exact_up_to: int = EXACT_SPLITS) -> SetTest:
    """Test x [n] against y [m] by permuting values between the two sets; the statistic is mean of x - mean of y.

    If there are at most `exact_up_to` splits C(n + m, n), all are used: p = (splits at least as extreme)/(all splits),
    the observed one among them. Otherwise p = (b + 1)/(m + 1), where b of m = `draws` random splits are at least as
    extreme. A tie, up to rounding, counts as at least as extreme and not as strictly greater. Raises ValueError for an
    empty set or for `draws` below 1.
    Source: Caliskan et al. 2017 (test); Kurita et al. 2019, section 3 (one-sided, strict); Phipson and Smyth 2010,
    "Permutation P-values Should Never Be Zero".
    """
    return permute_cuts(x[None], y[None], seed=seed, draws=draws, exact_up_to=exact_up_to)[0]


def permute_cuts(
    x: Floats, y: Floats, *, seed: int, draws: int = 10_000, exact_up_to: int = EXACT_SPLITS
) -> list[SetTest]:
    """Test many pairs of sets at once, x [cuts, n] against y [cuts, m], with the same splits. See `permute_sets`.

    From the second cut on, each has its values in a random order of its own, so that random splits differ between cuts.
    """
    size = x.shape[1]
    if not size or not y.shape[1] or draws < 1:
        raise ValueError("two sets with at least one value each, and at least one draw, are needed")
    values = np.concatenate([x, y], axis=1)
    # Centred and scaled, so that one tolerance fits values of any size.
    values = values - values.mean(axis=1, keepdims=True)
    largest = np.abs(values).max(axis=1, keepdims=True)
    values = values / np.where(largest, largest, 1.0)
    observed = _difference(values[:, :size].sum(axis=1), values, size)
    count = math.comb(values.shape[1], size)
    exact = count <= exact_up_to
    splits = count if exact else draws
    laid = values if exact else _in_own_order(values, seed)
    extreme, greater = np.zeros((2, len(values)), dtype=np.int64)
    for members in _all_splits(laid.shape, size, count) if exact else _random_splits(laid.shape, size, seed, draws):
        found = _difference(members @ laid.T, laid, size)  # [splits, cuts]
        extreme += np.count_nonzero(np.abs(found) >= np.abs(observed) - TIE, axis=0)
        greater += np.count_nonzero(found > observed + TIE, axis=0)
    p = extreme / count if exact else (extreme + 1) / (draws + 1)
    return [SetTest(float(p[cut]), greater[cut] / splits, splits, exact) for cut in range(len(values))]


def _difference(sums: Floats, values: Floats, size: int) -> Floats:
    """Return the mean of the first part minus that of the second, from the sum of the first, [..., cuts]."""
    return np.asarray(sums / size - (values.sum(axis=1) - sums) / (values.shape[1] - size))


def _in_own_order(values: Floats, seed: int) -> Floats:
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(5, *values.shape)))
    return np.concatenate([values[:1], generator.permuted(values[1:], axis=1)])


def _all_splits(shape: tuple[int, int], size: int, count: int) -> Iterator[Floats]:
    """Yield all ways to choose `size` of the values, as rows of 0 and 1, in parts [splits, n + m]."""
    cuts, width = shape
    small = min(size, width - size)
    parts = itertools.chain.from_iterable(itertools.combinations(range(width), small))
    places = np.fromiter(parts, dtype=np.int64).reshape(-1, small)
    for part in chunks(count, max(width, cuts)):
        members = _members(places[part], width)
        yield members if small == size else 1 - members


def _random_splits(shape: tuple[int, int], size: int, seed: int, draws: int) -> Iterator[Floats]:
    """Yield `draws` random choices of `size` of the values, as `_all_splits` does."""
    cuts, width = shape
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(3, width, size)))
    for part in chunks(draws, max(width, cuts)):
        keys = generator.random((min(part.stop, draws) - part.start, width))
        # The values with the smallest random keys: all subsets of this size are equally likely.
        yield _members(np.argpartition(keys, size - 1, axis=1)[:, :size], width)


def _members(places: npt.NDArray[np.int64], width: int) -> Floats:
    members = np.zeros((len(places), width))
    np.put_along_axis(members, places, 1.0, axis=1)
    return members
