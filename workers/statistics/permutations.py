"""Permutation tests: is a mean different from zero, by itself and within its family?"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workers.statistics.chunks import chunks
from workers.statistics.families import family_members
from workers.statistics.units import Blocks, Floats

# The same numbers summed in another order differ by about 1e-15. A tie must count as "at least as extreme".
TIE = 1e-9


@dataclass(frozen=True)
class SignFlip:
    """Two-sided p-values of each cell, [cells]; NaN where a cell has fewer than two units. Never 0."""

    p_value: Floats
    familywise_p_value: Floats


def sign_flip(
    blocks: Blocks, *, seed: int, family: npt.ArrayLike | None = None, draws: int = 9999, exact_up_to: int = 12
) -> SignFlip:
    """Test that the sums of the units are symmetric about 0, by flipping the signs of whole units.

    The statistic is |sum of the flipped unit sums| / sqrt(sum of the squared unit sums). The divisor is the same for
    every flip: it changes no p-value of a cell, and puts the cells of a family on one scale for the maximum.

    A cell of k <= `exact_up_to` units is enumerated: p = (flips at least as extreme)/2^k, so p >= 2^(1 - k). Above that
    p = (b + 1)/(m + 1), with b of m = `draws` random flips at least as extreme.

    The familywise p-value compares a cell with the maximum over its family (labels [cells]; None: all cells are one
    family) under the same flips, which keeps the correlation of the cells.

    Source: Phipson and Smyth 2010, "Permutation P-values Should Never Be Zero"; Westfall and Young 1993,
    "Resampling-Based Multiple Testing", section 2.6 (single-step maximum).
    """
    if draws < 1:
        raise ValueError(f"draws={draws}: at least one is needed.")
    tested = blocks.n_units >= 2
    p, familywise = np.full((2, len(tested)), np.nan)
    signs = sign_patterns(blocks.sums.shape[1], seed, draws, exact_up_to)
    directions = _directions(blocks.sums)
    for cells in family_members(np.zeros(len(tested)) if family is None else family, tested):
        p[cells], familywise[cells] = _compare(directions[cells], signs)
    if blocks.sums.shape[1] > exact_up_to:
        _enumerate_small_cells(blocks, exact_up_to, p)
    return SignFlip(p, np.maximum(familywise, p))


def sign_patterns(units: int, seed: int, draws: int, exact_up_to: int) -> Floats:
    """Sign patterns [patterns, units]; the first flips nothing, so that the observed value counts among its flips.

    An enumeration holds one of each pattern and its mirror image only, which give the same two-sided statistic.
    """
    if units <= exact_up_to:
        patterns = np.arange(2 ** max(units - 1, 0))
        flipped = (patterns[:, None] >> np.arange(units)) & 1
    else:
        generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1, units)))
        flipped = np.vstack([np.zeros(units, dtype=np.int64), generator.integers(0, 2, size=(draws, units))])
    return np.where(flipped, -1.0, 1.0)


def _directions(sums: Floats) -> Floats:
    """The unit sums of each cell, scaled to length 1; a cell of zeros stays as it is (its p-value is 1)."""
    lengths = np.sqrt((sums**2).sum(axis=1, keepdims=True))
    directions = np.zeros_like(sums)
    np.divide(sums, lengths, out=directions, where=lengths > 0)
    return directions


def _compare(directions: Floats, signs: Floats) -> tuple[Floats, Floats]:
    """Share of the sign patterns that reach the observed statistic: in the cell itself, and in the family's maximum."""
    observed = np.abs(directions.sum(axis=1)) - TIE
    p, maxima = np.empty(len(directions)), np.zeros(len(signs))
    for part in chunks(len(directions), len(signs)):
        statistics = np.abs(directions[part] @ signs.T)  # [cells, patterns]
        p[part] = np.count_nonzero(statistics >= observed[part, None], axis=1) / len(signs)
        np.maximum(maxima, statistics.max(axis=0), out=maxima)
    reached = len(signs) - np.searchsorted(np.sort(maxima), observed)
    return p, reached / len(signs)


def _enumerate_small_cells(blocks: Blocks, exact_up_to: int, p: Floats) -> None:
    """Replace the Monte Carlo p-values of the cells whose own few units can be enumerated, in place."""
    for cells, group in blocks.by_n_units():
        units = group.sums.shape[1]
        if 2 <= units <= exact_up_to:
            p[cells], _ = _compare(
                _directions(group.sums), sign_patterns(units, seed=0, draws=1, exact_up_to=exact_up_to)
            )
