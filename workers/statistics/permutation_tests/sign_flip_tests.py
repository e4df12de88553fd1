"""Sign-flip tests of a mean against zero and against a margin, for single cells and within families."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plumbline.spec.power.attainable_p import DRAWS_A_MEMBER, EXACT_UP_TO, of_sign_flips
from workers.statistics.chunks import chunks
from workers.statistics.families import family_members
from workers.statistics.permutation_tests.random_flips import count_reaching
from workers.statistics.permutation_tests.sign_flips import TIE, directions, random_patterns, share_reaching
from workers.statistics.units import Blocks, Floats

ENUMERATED_UP_TO = 12
"""Up to this number of units, the familywise test enumerates all patterns. Above it, patterns are random."""


@dataclass(frozen=True)
class SignFlip:
    """Two-sided p-values, [cells]; never 0, and NaN below two units."""

    p_value: Floats
    familywise_p_value: Floats
    least_p: Floats
    """The smallest p that this number of units can give."""


def sign_flip(blocks: Blocks, *, seed: int, family: npt.ArrayLike | None = None, draws: int = 9999) -> SignFlip:
    """Test that the sums of the units are symmetric about 0, by flipping the signs of whole units.

    The statistic is |sum of the flipped unit sums| / sqrt(sum of the squared unit sums). The divisor is the same for
    every flip. It changes no p-value of a cell, and puts the cells of a family on one scale for the maximum. Up to 24
    units all 2^k patterns count: p = (flips at least as extreme)/2^k, so p >= 2^(1 - k). Above 24, p = (b + 1)/(m + 1),
    where b of m random flips are at least as extreme, and m is at least `draws` and 40 times the largest family. The
    familywise p-value compares a cell with the maximum over its family under the same flips, which keeps the
    correlation of the cells. `family` holds labels [cells]; None: all cells are one family. Raises ValueError for
    `draws` below 1.
    Source: Phipson and Smyth 2010, "Permutation P-values Should Never Be Zero"; Westfall and Young 1993,
    "Resampling-Based Multiple Testing", section 2.6 (single-step maximum).
    """
    if draws < 1:
        raise ValueError(f"draws={draws}: at least one is needed.")
    tested = blocks.n_units >= 2
    families = family_members(np.zeros(len(tested)) if family is None else family, tested)
    most = max(draws, DRAWS_A_MEMBER * max(map(len, families), default=0))
    p, least, familywise = np.full((3, len(tested)), np.nan)
    for cells, group in blocks.by_n_units():
        if group.sums.shape[1] >= 2:
            p[cells] = _reaching(group.sums, seed, most, two_sided=True)
            least[cells] = of_sign_flips(group.sums.shape[1], most)
    signs = sign_patterns(blocks.sums.shape[1], seed, draws, ENUMERATED_UP_TO)
    towards = directions(blocks.sums)
    for members in families:
        # A cell alone is its own maximum.
        familywise[members] = _maximum(towards[members], signs) if len(members) > 1 else 0.0
    return SignFlip(p, np.maximum(familywise, p), least)


def equivalence(blocks: Blocks, margin: Floats, *, seed: int, draws: int = 9999) -> Floats:
    """Return the larger p of two one-sided tests that a mean is above -margin and below +margin, [cells].

    `blocks` holds one value per unit, `margin` [cells] is positive. NaN without a margin or below two units.
    Source: Schuirmann 1987, "A Comparison of the Two One-Sided Tests Procedure and the Power Approach", section 2.
    """
    p = np.full(len(blocks.sums), np.nan)
    for cells, group in blocks.by_n_units():
        within = margin[cells, None]
        if group.sums.shape[1] >= 2:
            p[cells] = np.maximum(
                _reaching(np.nan_to_num(within + group.sums), seed, draws),
                _reaching(np.nan_to_num(within - group.sums), seed, draws),
            )
    p[np.isnan(margin)] = np.nan
    return p


def _reaching(values: Floats, seed: int, draws: int, *, two_sided: bool = False) -> Floats:
    """Return the share of flips of values [cells, units] whose sum is at least the observed sum, [cells].

    Two-sided: the share whose sum is at least as far from 0, in either direction.
    """
    if two_sided:
        values = values * np.where(values.sum(axis=1, keepdims=True) < 0, -1.0, 1.0)
    if values.shape[1] <= EXACT_UP_TO:
        return np.minimum(1.0, (1 + two_sided) * share_reaching(values))
    return np.asarray((count_reaching(values, seed, draws, two_sided=two_sided) + 1) / (draws + 1))


def sign_patterns(units: int, seed: int, draws: int, exact_up_to: int) -> Floats:
    """Return sign patterns [patterns, units]. The first flips nothing, so the observed value counts among its flips.

    An enumeration holds only one of each pattern and its mirror image, which give the same two-sided statistic.
    """
    if units <= exact_up_to:
        patterns = np.arange(2 ** max(units - 1, 0))
        return np.where((patterns[:, None] >> np.arange(units)) & 1, -1.0, 1.0)
    return np.vstack([np.ones(units), *random_patterns(units, seed, draws)])


def _maximum(towards: Floats, signs: Floats) -> Floats:
    """Return the share of sign patterns under which the family's largest statistic reaches each cell's, [cells]."""
    observed, maxima = np.abs(towards.sum(axis=1)) - TIE, np.zeros(len(signs))
    for part in chunks(len(towards), len(signs)):
        np.maximum(maxima, np.abs(towards[part] @ signs.T).max(axis=0), out=maxima)
    return np.asarray((len(signs) - np.searchsorted(np.sort(maxima), observed)) / len(signs))
