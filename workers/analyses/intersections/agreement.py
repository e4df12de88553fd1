"""Taus of each pair with its components, with the other order, and with groups that it has nothing to do with."""

from dataclasses import dataclass

import numpy as np

from workers.analyses.intersections.members import NONE, Members
from workers.statistics.kendall import kendall_matrix, kendall_rows
from workers.statistics.units import Floats


@dataclass(frozen=True, slots=True)
class Agreement:
    """Kendall's tau-b of trait scores, each [pairs]; NaN where it is not defined."""

    first: Floats
    second: Floats
    reverse: Floats
    """With the same two groups in the other order."""
    chance: Floats
    """The greater one of two groups that are no components, mean over all two such groups of the run."""

    @property
    def nearer(self) -> Floats:
        """With the nearer component: the greater of the two."""
        return np.maximum(self.first, self.second)


def agreement_of(members: Members, scores: Floats) -> Agreement:
    """From trait scores [groups, traits]."""
    matrix = kendall_matrix(scores[members.pairs], scores[members.singles])  # [pairs, singles]
    at = np.full(len(scores), NONE, dtype=np.intp)
    at[members.singles] = np.arange(len(members.singles))
    rows = np.arange(len(members))
    first, second = at[members.first], at[members.second]
    unrelated = matrix.copy()
    unrelated[rows, first] = unrelated[rows, second] = np.nan
    return Agreement(
        first=matrix[rows, first],
        second=matrix[rows, second],
        reverse=_reverse(members, scores),
        chance=greater_of_two(unrelated),
    )


def _reverse(members: Members, scores: Floats) -> Floats:
    taus = np.full(len(members), np.nan)
    there = members.reverse != NONE
    own, other = members.pairs[there], members.pairs[members.reverse[there]]
    taus[there] = kendall_rows(scores[own], scores[other])
    return taus


def greater_of_two(values: Floats) -> Floats:
    """The mean of the greater of two different known values of a row, over all twos: [rows]; NaN below two.

    Of m sorted values the i-th is the greater one of i - 1 twos, so no two need be drawn.
    """
    known = (~np.isnan(values)).sum(axis=1)
    ordered = np.sort(values, axis=1)  # NaN last
    ranks = np.arange(values.shape[1])
    total = np.where(ranks < known[:, None], ordered * ranks, 0.0).sum(axis=1)
    mean: Floats = np.full(len(values), np.nan)
    np.divide(total, known * (known - 1) / 2, out=mean, where=known > 1)
    return mean
