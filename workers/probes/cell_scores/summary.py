"""The measures of scored cells: scores of groups, differences between groups, and the share of scorable items.

The unit of generalisation is the kind of sentence: templates are averaged in their frame, frames in their kind
(METHODS 1a). Differences are paired, template by template, so what the templates have in common cancels.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

from plumbline.spec.association import AssociationSpec
from plumbline.spec.card import Card
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure
from workers.measures.families import family_by
from workers.measures.judging import judged
from workers.probes.cell_scores.cell_measures import differences, group_scores
from workers.probes.cell_scores.contrasts import Contrast, Floats, centred
from workers.probes.cell_scores.left_out import left_out, noted
from workers.probes.cell_scores.shared_differences import shared_differences


def score_measures(
    spec: AssociationSpec,
    materials: Materials,
    records: pl.DataFrame,
    scores: Floats,
    contrasts: Sequence[Contrast],
    card: Card,
) -> list[Measure]:
    """Return the measures with their verdicts, and with notes on the items that have no score.

    `records` has the columns template, group, attribute, score, scorable and reason. `scores` and `contrasts` are made
    from them. Statistics have the names of the card: its score, its difference, and the difference centred.
    """
    measures = [
        *group_scores(spec, materials, scores, card.score),
        *differences(spec, materials, contrasts, card.difference),
        *differences(spec, materials, centred(materials, contrasts), f"{card.difference}_centred"),
        *shared_differences(spec, materials, contrasts, card.difference),
        *_scorable_shares(materials, scores),
    ]
    return noted(judged(spec, measures, family_by(spec.families)), left_out(records, len(materials.templates)))


def _scorable_shares(materials: Materials, scores: Floats) -> list[Measure]:
    """Coverage: unequal shares of scorable items make comparisons between groups unequal."""
    known = ~np.isnan(scores)
    return [
        Measure(
            statistic="scorable_share",
            group_a=group.label,
            unit="item",
            n=known[:, index].size,
            n_units=known[:, index].size,
            value=float(known[:, index].mean()),
            reason="a share of the items asked: no sampling",
        )
        for index, group in enumerate(materials.groups)
    ]
