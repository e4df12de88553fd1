"""Whether a text before each sentence changes scores (thesis, section 3.3.3 and Table 3.2).

For each target, Student's t-test of its scores with all words of a list under one text and under another. The thesis
does not say whether its tests were paired; both are here. Unpaired, p is too large, as the words are the same ones;
either way it is too small, as the words of a list hang together and all rest on the same names: a rough guide.
"""

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
    """Of the targets, how many have other scores under one text than under another."""

    pair: tuple[int, int]
    """Which texts, counted from 1."""
    paired: bool
    targets: int
    words: int
    by_p: tuple[float, ...]
    """Shares of the targets with p below each of the levels."""
    by_q: tuple[float, ...]
    """The same for q, over all targets and pairs of texts of the list."""
    largest: float | None
    """The largest absolute difference of a score."""


def text_differences(tables: Sequence[Floats], levels: Sequence[float]) -> list[Differing]:
    """Every pair of texts, unpaired and paired; of each text the scores [targets, words], in the same order.

    Empty where the targets have fewer than two words.
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
    """Student's t-test, two-sided, one a row [targets, words]; 1 where nothing differs."""
    words = one.shape[1]
    shift = np.abs((one - other).mean(axis=1))
    if paired:
        error, free = (one - other).std(axis=1, ddof=1) / np.sqrt(words), words - 1
    else:
        error, free = np.sqrt((one.var(axis=1, ddof=1) + other.var(axis=1, ddof=1)) / words), 2 * words - 2
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stats.t.sf(shift / error, free)
    return np.asarray(np.where(shift > 0, p, 1.0))
