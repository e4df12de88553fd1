"""The effect of leaving out or keeping flagged ratings."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from plumbline.spec.banks.pairs import Pair
from plumbline.spec.content import Group
from plumbline.spec.judgements import Floats, Judgements, Truths, means
from plumbline.spec.measure import Measure
from workers.analyses.alignment.agreement import Tables, pooled_tau
from workers.analyses.alignment.excess import excess
from workers.statistics.resampling import Resampling

KEPT, OUT = "flagged_kept", "flagged_out"
"""Variants: with flagged ratings if the spec leaves them out, and without them if the spec keeps them."""


def of_flags(
    every: Tables,
    ratings: Floats,
    groups: Sequence[Group],
    pairs: Sequence[Pair],
    judgements: Judgements,
    resampling: Resampling,
    margin: float,
) -> list[Measure]:
    """Return tau and its excess under the other choice, and a row without value for each cell that the flags change.

    `ratings` [annotators, groups, pairs] are those in use. Returns nothing if no flag concerns this audit's cells.
    """
    if judgements.otherwise is None:
        return []
    other = replace(judgements, values=judgements.otherwise).held_against(groups, pairs)
    changed = np.isnan(ratings) != np.isnan(other)
    if not changed.any():
        return []
    tables = Tables(every.labels, every.scores, means(other)).comparable()
    figures = [replace(pooled_tau(tables, resampling), condition="model"), *excess(tables, resampling, margin)]
    variant = KEPT if np.isnan(ratings[changed]).all() else OUT
    return [
        *(replace(one, variant=variant) for one in figures),
        *_cells(every, pairs, changed, np.fmax(ratings, other)),
    ]


def _cells(every: Tables, pairs: Sequence[Pair], changed: Truths, given: Floats) -> list[Measure]:
    raters, flagged = (~np.isnan(given)).sum(axis=0), changed.sum(axis=0)
    return [
        Measure(
            "kendall_tau",
            unit="annotator",
            n=int(raters[row, column]),
            n_units=int(raters[row, column]),
            value=None,
            group_a=every.labels[row],
            attribute=pairs[column].name,
            condition="model",
            reason=_reason(int(flagged[row, column]), int(raters[row, column])),
        )
        for row, column in np.argwhere(flagged).tolist()
    ]


def _reason(flagged: int, raters: int) -> str:
    if flagged == raters:
        return "every rater has the same rating on another pair of this group"
    return f"{flagged} of {raters} raters give the same rating everywhere"
