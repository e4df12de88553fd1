"""Measures of an association run: scores of groups, differences between groups, coverage.

The unit of generalisation is the kind of sentence: templates are averaged in their frame, frames in their kind
(METHODS 1a). Differences are paired, template by template, so what the templates have in common cancels.
"""

from dataclasses import replace

import numpy as np
import polars as pl

from plumbline.spec.association import AssociationSpec
from plumbline.spec.card import Card
from plumbline.spec.judgements import Judgements
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure
from workers.probes.association.alike import alike_frame_measures
from workers.probes.association.cell_measures import differences, group_scores
from workers.probes.association.contrasts import Floats, centred, contrasts, cube, kind_numbers
from workers.probes.association.effect import effects
from workers.probes.association.left_out import left_out, noted
from workers.probes.association.people import alignment
from workers.probes.association.preference import preferences
from workers.probes.association.prior_measures import under_other_priors
from workers.probes.association.readings import Reading
from workers.probes.association.robustness import robustness
from workers.probes.association.shared import shared_differences
from workers.probes.families import family_by
from workers.probes.intersections.summary import intersections
from workers.probes.judging import judged


def summarise(
    spec: AssociationSpec,
    materials: Materials,
    records: pl.DataFrame,
    card: Card,
    judgements: Judgements | None = None,
    reading: Reading | None = None,
) -> list[Measure]:
    """All measures of a run from its records (columns template, group, attribute, score, scorable, reason).

    With a `reading` also those under other priors, from the columns that it names.
    """
    scores = cube(materials, records)
    found = list(contrasts(materials, scores, spec.params.contrasts))
    beyond = f"{card.difference}_centred"
    measures = [
        *group_scores(spec, materials, scores, card.score),
        *differences(spec, materials, found, card.difference),
        *differences(spec, materials, centred(materials, found), beyond),
        *shared_differences(spec, materials, found, card.difference),
        *_scorable_shares(materials, scores),
        *alike_frame_measures(materials, found, spec.seed),
    ]
    family = family_by(spec.families)
    prior = getattr(spec, "prior", None)
    named = prior.label if prior is not None else ""
    told = noted(judged(spec, measures, family), left_out(records, len(materials.templates)))
    pairs = intersections(spec, materials, scores, kind_numbers(materials))
    aligned = judged(spec, alignment(spec, materials, scores, kind_numbers(materials), judgements), family)
    variant = spec.variant
    return [
        *(replace(measure, variant=variant, prior=named) for measure in told),
        *(replace(one, variant=_joined(one.variant, variant), prior=named) for one in aligned),
        *(replace(measure, variant=variant, prior=named) for measure in pairs),
        *(replace(one, variant=variant, prior=named) for one in robustness(spec, materials, scores, found, card)),
        *judged(spec, effects(spec, materials, scores), family_by(spec.families, variant)),
        *judged(spec, preferences(spec, materials, scores), family_by(spec.families, variant)),
        *(under_other_priors(spec, materials, records, reading, card, judgements) if reading else ()),
    ]


def _joined(*variants: str) -> str:
    return ", ".join(filter(None, variants))


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
