"""Measures of single cells: scores of a group with an attribute, and differences between groups."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from plumbline.spec.association import AssociationSpec
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure
from workers.measures.estimated import numbers_of
from workers.measures.families import family_by
from workers.measures.judging import smallest_effect
from workers.probes.cell_scores.contrasts import Contrast, Floats
from workers.probes.sentence_kinds import frame_numbers, kind_numbers
from workers.statistics import Estimates, estimate_cells
from workers.statistics.estimates import describe_cells

KIND = "kind of sentence"


def group_scores(
    spec: AssociationSpec, materials: Materials, scores: Floats, statistic: str, *, tested: bool = True
) -> list[Measure]:
    """Return the score of each group with each attribute, over kinds of sentence."""
    keys = [
        {"statistic": statistic, "group_a": group.label, "category": category, "attribute": attribute.text}
        for group in materials.groups
        for attribute, category in zip(materials.attributes, materials.categories, strict=True)
    ]
    values = scores.reshape(len(materials.templates), -1).T
    if tested:
        return _estimated(spec, materials, keys, values)
    kinds, frames = kind_numbers(materials), frame_numbers(materials.templates)
    return _measures(keys, describe_cells(values, kinds, frames, level=spec.params.level))


def differences(
    spec: AssociationSpec, materials: Materials, found: Sequence[Contrast], statistic: str
) -> list[Measure]:
    """Return each contrast with each attribute, over kinds of sentence."""
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
    """Return tested measures of values [cells, templates], the cells of one statistic."""
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
    return _measures(keys, estimates)


def _measures(keys: list[dict[str, Any]], estimates: Estimates) -> list[Measure]:
    return [Measure(**key, **numbers_of(estimates, row), unit=KIND) for row, key in enumerate(keys)]
