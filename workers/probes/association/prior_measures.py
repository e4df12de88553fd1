"""Measures under other priors than the spec's, and the agreement of a group's word order between priors."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import polars as pl

from plumbline.spec.association import AssociationSpec
from plumbline.spec.card import Card
from plumbline.spec.judgements import Judgements
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure, join_variants
from plumbline.spec.prior import OTHER_PRIOR
from plumbline.spec.robustness import RANK_AGREEMENT
from workers.measures.estimated import defined
from workers.measures.families import family_by
from workers.measures.judging import judged
from workers.probes.association.human_agreement import agreement
from workers.probes.association.preference import preferences
from workers.probes.association.priors import UnderPrior, other_priors, same
from workers.probes.cell_scores.cell_measures import differences, group_scores
from workers.probes.cell_scores.contrasts import Floats, contrasts, cube
from workers.probes.cell_scores.readings import Reading
from workers.probes.cell_scores.shared_differences import shared_differences
from workers.probes.sentence_kinds import frame_numbers, kind_numbers
from workers.statistics.correlations.kendall import kendall_rows
from workers.statistics.known import mean_of_known
from workers.statistics.nesting import nested_means

SAME_ANSWERS = "two rankings from the same answers: no interval and no test"
ONE_WORD = "fewer than two words with scores that differ"


def under_other_priors(
    spec: AssociationSpec,
    materials: Materials,
    records: pl.DataFrame,
    reading: Reading,
    card: Card,
    judgements: Judgements | None = None,
) -> list[Measure]:
    """Return the measures that depend on the prior, under every other prior that the records allow.

    Their verdicts are not findings. Variants begin with the prior's name, and each has its own families of tests.
    """
    scores = cube(materials, records)
    return [
        replace(
            measure, variant=join_variants(one.variant, measure.variant), prior=one.variant.removeprefix(OTHER_PRIOR)
        )
        for one in other_priors(materials, records, reading, scores)
        for measure in _under(spec, materials, one, scores, card, judgements)
    ]


def _under(
    spec: AssociationSpec,
    materials: Materials,
    under: UnderPrior,
    scores: Floats,
    card: Card,
    judgements: Judgements | None,
) -> Iterator[Measure]:
    own = spec.variant
    described = [
        *group_scores(spec, materials, under.scores, card.score, tested=False),
        *rank_agreement(materials, scores, under.scores),
    ]
    tested = [
        *_differences(spec, materials, under, scores, card.difference),
        *agreement(spec, materials, under.scores, kind_numbers(materials), judgements),
    ]
    yield from (replace(one, variant=own) for one in (*described, *judged(spec, tested, family_by(spec.families))))
    yield from judged(spec, preferences(spec, materials, under.scores), family_by(spec.families, own))


def _differences(
    spec: AssociationSpec, materials: Materials, under: UnderPrior, scores: Floats, statistic: str
) -> list[Measure]:
    """Return the differences between groups; empty if the prior is the same for both groups and cancels."""
    found, specified = (list(contrasts(materials, values, spec.params.contrasts)) for values in (under.scores, scores))
    if all(same(one.values, other.values) for one, other in zip(found, specified, strict=True)):
        return []
    return [
        *differences(spec, materials, found, statistic),
        *shared_differences(spec, materials, found, statistic),
    ]


def rank_agreement(materials: Materials, one: Floats, other: Floats) -> list[Measure]:
    """Return Kendall's tau of each group's words between two tables of scores [templates, groups, attributes].

    Their mean over groups comes first.
    """
    taus = kendall_rows(_means(materials, one), _means(materials, other))
    words, groups = len(materials.attributes), int((~np.isnan(taus)).sum())
    labels = [group.label for group in materials.groups]
    return [
        _agreement(float(mean_of_known(taus, 0)), "", "group", groups, words),
        *(_agreement(tau, label, "attribute", words, words) for label, tau in zip(labels, taus.tolist(), strict=True)),
    ]


def _agreement(tau: float, group: str, unit: str, units: int, words: int) -> Measure:
    reason = ONE_WORD if np.isnan(tau) else SAME_ANSWERS
    n = words if group else words * units
    return Measure(RANK_AGREEMENT.name, unit, n, units, defined(tau), group_a=group, reason=reason)


def _means(materials: Materials, scores: Floats) -> Floats:
    """Return mean scores over kinds of sentence, [groups, attributes]."""
    values = scores.reshape(len(scores), -1).T
    means = nested_means(values, kind_numbers(materials), frame_numbers(materials.templates)).means.means
    return means.reshape(scores.shape[1:])
