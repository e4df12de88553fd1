"""Tests of whether a text before each sentence changes scores (thesis, section 3.3.3 and Table 3.2).

For each target, Student's t-test compares its scores with all words of a list under two texts. The thesis does not say
whether its tests were paired; both are computed. The unpaired p is too large, because the words are the same. Both are
too small, because the words of a list depend on each other and all use the same names. They are a rough guide.
"""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import stats

from workers.statistics.families import q_values
from workers.statistics.units import Floats

FEWEST_WORDS = 2


@dataclass(frozen=True, slots=True)
class Differing:
    """The number of targets whose scores differ between two texts."""

    pair: tuple[int, int]
    """The two texts, counted from 1."""
    paired: bool
    targets: int
    words: int
    by_p: tuple[float, ...]
    """Shares of the targets with p below each level."""
    by_q: tuple[float, ...]
    """Shares of the targets with q below each level, corrected over all targets and pairs of texts of the list."""
    largest: float | None
    """The largest absolute difference of a score."""


def text_differences(tables: Sequence[Floats], levels: Sequence[float]) -> list[Differing]:
    """Compare every pair of texts, unpaired and paired; each table holds the scores [targets, words] of one text.

    Returns an empty list if the targets have fewer than two words.
    """
    if tables[0].shape[1] < FEWEST_WORDS:
        return []
    return [one for paired in (False, True) for one in _tested(tables, levels, paired=paired)]


def _tested(tables: Sequence[Floats], levels: Sequence[float], *, paired: bool) -> list[Differing]:
    pairs = list(combinations(range(len(tables)), 2))
    p = np.array([p_values(tables[one], tables[other], paired=paired) for one, other in pairs])
    q = q_values(p.ravel(), np.zeros(p.size)).reshape(p.shape)
    targets, words = tables[0].shape
    return [
        Differing(
            pair=(one + 1, other + 1),
            paired=paired,
            targets=targets,
            words=words,
            by_p=_shares(p[place], levels),
            by_q=_shares(q[place], levels),
            largest=float(np.abs(tables[one] - tables[other]).max()) if targets else None,
        )
        for place, (one, other) in enumerate(pairs)
    ]


def _shares(p: Floats, levels: Sequence[float]) -> tuple[float, ...]:
    return tuple(float((p < level).mean()) if p.size else 0.0 for level in levels)


def p_values(one: Floats, other: Floats, *, paired: bool) -> Floats:
    """Return the two-sided p of Student's t-test for each row of [targets, words]; 1 if the means are equal."""
    test = stats.ttest_rel if paired else stats.ttest_ind
    with warnings.catch_warnings(), np.errstate(divide="ignore", invalid="ignore"):
        # Of rows that hardly vary scipy warns; their p is near 0, which is what they show.
        warnings.simplefilter("ignore", RuntimeWarning)
        p = test(one, other, axis=1).pvalue
    return np.asarray(np.where(np.abs((one - other).mean(axis=1)) > 0, p, 1.0))
