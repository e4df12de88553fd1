"""All measures of an association run, from its scores, human ratings, pairs of groups, priors and robustness."""

from dataclasses import replace

import polars as pl

from plumbline.spec.association import AssociationSpec
from plumbline.spec.card import Card
from plumbline.spec.judgements import Judgements
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure, join_variants
from workers.analyses.intersections.summary import intersections
from workers.measures.families import family_by
from workers.measures.judging import judged
from workers.probes.association.alike import alike_frame_measures
from workers.probes.association.effect import effects
from workers.probes.association.human_agreement import alignment
from workers.probes.association.preference import preferences
from workers.probes.association.prior_measures import under_other_priors
from workers.probes.association.robustness import robustness
from workers.probes.cell_scores.contrasts import contrasts, cube
from workers.probes.cell_scores.readings import Reading
from workers.probes.cell_scores.summary import score_measures
from workers.probes.sentence_kinds import kind_numbers


def summarise(
    spec: AssociationSpec,
    materials: Materials,
    records: pl.DataFrame,
    card: Card,
    judgements: Judgements | None = None,
    reading: Reading | None = None,
) -> list[Measure]:
    """Return all measures of a run from its records (columns template, group, attribute, score, scorable, reason).

    With a `reading`, also those under other priors, from the columns that it names.
    """
    scores = cube(materials, records)
    found = list(contrasts(materials, scores, spec.params.contrasts))
    family = family_by(spec.families)
    prior = getattr(spec, "prior", None)
    named = prior.label if prior is not None else ""
    told = [
        *score_measures(spec, materials, records, scores, found, card),
        *alike_frame_measures(materials, found, spec.seed),
    ]
    pairs = intersections(spec, materials, scores, kind_numbers(materials))
    aligned = judged(spec, alignment(spec, materials, scores, kind_numbers(materials), judgements), family)
    variant = spec.variant
    return [
        *(replace(measure, variant=variant, prior=named) for measure in told),
        *(replace(one, variant=join_variants(one.variant, variant), prior=named) for one in aligned),
        *(replace(measure, variant=variant, prior=named) for measure in pairs),
        *(replace(one, variant=variant, prior=named) for one in robustness(spec, materials, scores, found, card)),
        *judged(spec, effects(spec, materials, scores), family_by(spec.families, variant)),
        *judged(spec, preferences(spec, materials, scores), family_by(spec.families, variant)),
        *(under_other_priors(spec, materials, records, reading, card, judgements) if reading else ()),
    ]
