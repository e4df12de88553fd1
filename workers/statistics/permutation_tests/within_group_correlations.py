"""Tests of whether a correlation over names exceeds what their groups explain, by permuting names within groups."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import exp

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from plumbline.spec.power.attainable_p import DRAWS_A_MEMBER
from workers.statistics.units import Floats, Positions

AT_ONCE = 1 << 22
"""Maximum number of permuted names and correlations in memory at a time."""
WORK = 1e12
"""Multiplications above which only the minimum number of permutations is made."""
TIE = 1e-5
"""Correlations that differ by less are equal, in float32."""


@dataclass(frozen=True)
class Permuted:
    p_value: Floats  # [targets, features]; NaN if a column is constant within the groups
    least_p: float
    """The smallest p that is possible with these names and this number of permutations."""


def permute_names(x: Floats, y: Floats, groups: Positions, *, seed: int, draws: int) -> Permuted:
    """Test |r| of each column of x [names, targets] with each of y [names, features], centred on their group.

    All cells share the permutations of the names within their `groups` [names]. The two-sided p is (b + 1)/(draws + 1),
    where b permutations are at least as extreme. With one group this is the plain correlation and all permutations of
    the names. The cost is one multiplication per permutation, name, target and feature; `AT_ONCE` bounds the memory.
    Source: Phipson and Smyth 2010, "Permutation P-values Should Never Be Zero"; METHODS 1a.
    """
    if x.shape[1] > y.shape[1]:
        turned = permute_names(y, x, groups, seed=seed, draws=draws)
        return Permuted(turned.p_value.T, turned.least_p)
    order = np.argsort(groups, kind="stable")
    one, other = (_centred(side[order], groups[order]) for side in (x, y))
    targets, names = one.shape[1], len(one)
    by_target, observed = np.ascontiguousarray(one.T), one.T @ other
    reached = np.ones(observed.shape)
    batch = max(1, AT_ONCE // max(1, targets * max(names, other.shape[1])))
    for rows in _permutations(groups[order], seed, draws, batch):
        r = np.take(by_target, rows, axis=1).reshape(-1, names) @ other
        extreme = np.abs(r, out=r).reshape(targets, len(rows), -1) >= np.abs(observed)[:, None] - TIE
        reached += extreme.sum(axis=1, dtype=np.int32)
    return Permuted(np.where(np.isnan(observed), np.nan, reached / (draws + 1)), _least_p(groups, draws))


def draws_needed(names: int, cells: int, largest_family: int, least: int) -> int:
    """Return the number of permutations: 40 per member of the largest family within `WORK`, but at least `least`."""
    affordable = int(WORK / max(1, names * cells))
    return max(least, min(DRAWS_A_MEMBER * largest_family, affordable))


def _centred(side: Floats, groups: Positions) -> npt.NDArray[np.float32]:
    """Return the scores minus the mean of their group, scaled to length 1, float32.

    NaN in a column that is then constant.
    """
    member = np.eye(groups.max(initial=-1) + 1)[groups]
    centred = side - member @ ((member.T @ side) / np.maximum(member.sum(axis=0), 1)[:, None])
    length, whole = np.sqrt((centred**2).sum(axis=0)), np.sqrt((side**2).sum(axis=0))
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(length > TIE * whole, centred / length, np.nan), dtype=np.float32)


def _permutations(groups: Positions, seed: int, draws: int, batch: int) -> Iterator[Positions]:
    """Yield rows [batch, names] of positions, permuted within the groups, which must be contiguous."""
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2, len(groups))))
    for start in range(0, draws, batch):
        yield np.argsort(generator.random((min(batch, draws - start), len(groups))) + groups, axis=1)


def _least_p(groups: Positions, draws: int) -> float:
    """Return the smallest p, which also depends on the number of orders of the names within their groups."""
    orders = float(gammaln(np.bincount(groups) + 1).sum())
    return max(1 / (draws + 1), exp(-orders))
