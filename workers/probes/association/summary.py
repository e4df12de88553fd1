"""Measures of an association run: scores of groups, differences between groups, coverage.

The unit of generalisation is the kind of sentence: templates are averaged in their frame, frames in their kind
(METHODS 1a). Differences are paired, template by template, so what the templates have in common cancels.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from plumbline.spec.association import AssociationSpec, Materials
from plumbline.spec.card import Card
from plumbline.spec.judgements import Judgements
from plumbline.spec.measure import Measure
from workers.probes.association.contrasts import (
    Contrast,
    Floats,
    centred,
    contrasts,
    cube,
    frame_numbers,
    kind_numbers,
)
from workers.probes.association.effect import effects
from workers.probes.association.left_out import left_out, noted
from workers.probes.association.people import alignment
from workers.probes.association.preference import preferences
from workers.probes.association.shared import shared_differences
from workers.probes.estimated import numbers_of
from workers.probes.families import family_by
from workers.probes.intersections.summary import intersections
from workers.probes.judging import judged, smallest_effect
from workers.statistics import estimate_cells

KIND = "kind of sentence"


def summarise(
    spec: AssociationSpec,
    materials: Materials,
    records: pl.DataFrame,
    card: Card,
    judgements: Judgements | None = None,
) -> list[Measure]:
    """All measures of a run from its records (columns template, group, attribute, score, scorable, reason)."""
    scores = cube(materials, records)
    found = list(contrasts(materials, scores, spec.params.contrasts))
    beyond = f"{card.difference}_centred"
    measures = [
        *_group_scores(spec, materials, scores, card.score),
        *_differences(spec, materials, found, card.difference),
        *_differences(spec, materials, centred(materials, found), beyond),
        *shared_differences(spec, materials, found, card.difference),
        *_scorable_shares(materials, scores),
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
        *judged(spec, effects(spec, materials, scores), family_by(spec.families, variant)),
        *judged(spec, preferences(spec, materials, scores), family_by(spec.families, variant)),
    ]


def _joined(*variants: str) -> str:
    return ", ".join(filter(None, variants))


def _group_scores(spec: AssociationSpec, materials: Materials, scores: Floats, statistic: str) -> list[Measure]:
    keys = [
        {"statistic": statistic, "group_a": group.label, "category": category, "attribute": attribute.text}
        for group in materials.groups
        for attribute, category in zip(materials.attributes, materials.categories, strict=True)
    ]
    return _estimated(spec, materials, keys, scores.reshape(len(materials.templates), -1).T)


def _differences(
    spec: AssociationSpec, materials: Materials, found: Sequence[Contrast], statistic: str
) -> list[Measure]:
    keys = [
        {
            "statistic": statistic,
            "group_a": contrast.group_a,
            "group_b": contrast.group_b,
            "category": category,
            "attribute": attribute.text,
        }
        for contrast in found
        for attribute, category in zip(materials.attributes, materials.categories, strict=True)
    ]
    values = [value for contrast in found for value in contrast.values.T]
    return _estimated(spec, materials, keys, values) if keys else []


def _estimated(
    spec: AssociationSpec, materials: Materials, keys: list[dict[str, Any]], values: Floats | list[Floats]
) -> list[Measure]:
    """Of values [cells, templates], the cells of one statistic."""
    family = family_by(spec.families)
    estimates = estimate_cells(
        np.asarray(values),
        kind_numbers(materials),
        frame_numbers(materials.templates),
        seed=spec.seed,
        family=np.array([family.label(key) for key in keys]),
        margin=smallest_effect(spec, keys[0]["statistic"]),
        draws=spec.params.permutations,
        level=spec.params.level,
    )
    return [Measure(**key, **numbers_of(estimates, row), unit=KIND) for row, key in enumerate(keys)]


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
