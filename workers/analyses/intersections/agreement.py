"""Taus of each pair with its components, with the other order, and with unrelated groups."""

from dataclasses import dataclass

import numpy as np

from workers.analyses.intersections.members import NONE, Members
from workers.statistics.correlations.kendall import kendall_matrix, kendall_rows
from workers.statistics.units import Floats


@dataclass(frozen=True, slots=True)
class Agreement:
    """Kendall's tau-b of trait scores, each [pairs]; NaN if it is undefined."""

    first: Floats
    second: Floats
    reverse: Floats
    """Tau with the same two groups in the other order."""
    chance: Floats
    """The greater tau with two groups that are not components, averaged over all such pairs of groups of the run."""

    @property
    def nearer(self) -> Floats:
        """The tau with the nearer component: the greater of the two."""
        return np.maximum(self.first, self.second)


def agreement_of(members: Members, scores: Floats) -> Agreement:
    """Return the taus from trait scores [groups, traits]."""
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
    """Return the mean of the greater of two different known values of a row, over all pairs of values, [rows].

    NaN below two values. Of m sorted values, the i-th is the greater one of i - 1 pairs, so no pairs need to be drawn.
    """
    known = (~np.isnan(values)).sum(axis=1)
    ordered = np.sort(values, axis=1)  # NaN last
    ranks = np.arange(values.shape[1])
    total = np.where(ranks < known[:, None], ordered * ranks, 0.0).sum(axis=1)
    mean: Floats = np.full(len(values), np.nan)
    np.divide(total, known * (known - 1) / 2, out=mean, where=known > 1)
    return mean
