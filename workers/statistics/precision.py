"""Precision at k of two-ended rankings against a threshold (Cao et al. 2022, section 5.1)."""

from dataclasses import dataclass

import numpy as np

from workers.statistics.units import Floats

MIDDLE = 50.0
"""Human scores above it mean the right pole, scores below it the left pole, a score of 50 neither."""


@dataclass(frozen=True)
class Precision:
    """Shares of the k highest (top) and k lowest (bottom) columns on which the threshold agrees; NaN is undefined."""

    top: Floats
    bottom: Floats

    @property
    def mean(self) -> Floats:
        return (self.top + self.bottom) / 2


def precision_at(k: int, scores: Floats, human: Floats) -> Precision:
    """Return the precision [rows] of each row of scores [rows, columns] against the same row of human.

    A row with fewer than 2k columns with both values is undefined, because its top and bottom would overlap. Scores
    that tie at the edge of the k share the remaining places, so the order of the columns does not matter.
    """
    known = ~(np.isnan(scores) | np.isnan(human))
    enough = known.sum(axis=-1) >= 2 * k
    ends = []
    for side, right in ((scores, human > MIDDLE), (-scores, human < MIDDLE)):
        share = (_places(k, np.where(known, side, -np.inf)) * right).sum(axis=-1) / k
        ends.append(np.where(enough, share, np.nan))
    return Precision(*ends)


def chance_precision(k: int, human: Floats) -> Precision:
    """Return the expected precision of a random ranking: the share of columns on each side of the threshold, [rows]."""
    known = ~np.isnan(human)
    count = np.where(known.sum(axis=-1) >= 2 * k, known.sum(axis=-1), np.nan)
    return Precision((human > MIDDLE).sum(axis=-1) / count, (human < MIDDLE).sum(axis=-1) / count)


def _places(k: int, scores: Floats) -> Floats:
    """Return the share of each column that is among the k highest of its row: 1, 0, or between for ties at the edge."""
    edge = np.partition(scores, -k, axis=-1)[..., -k, None] if scores.shape[-1] >= k else np.inf
    above, at = scores > edge, scores == edge
    left = k - above.sum(axis=-1, keepdims=True)
    return np.asarray(above + at * left / np.maximum(at.sum(axis=-1, keepdims=True), 1))
