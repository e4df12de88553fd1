"""Log probability bias scores over WEAT stimuli: two attribute sets compared (Kurita et al. 2019, section 3.2)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from plumbline.methods.association.log_probability import LogProbabilitySpec
from plumbline.spec.association import AssociationSpec
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure, join_variants
from workers.measures.effect_measures import effect_measures
from workers.probes.cell_scores.cells import sentence
from workers.probes.sentence_kinds import kind_numbers
from workers.statistics.set_tests import compare

Floats = npt.NDArray[np.float64]
TOO_FEW = "fewer than three attributes could be scored, or none of a set"


def effects(spec: AssociationSpec, materials: Materials, scores: Floats) -> list[Measure]:
    """Return the effect size of the two attribute sets of `params.compare`; empty without them.

    `scores` [templates, groups, attributes] are increased log probabilities. Attributes are permuted, and the standard
    deviation is that of their mean log probability bias scores (section 3.2).
    """
    if not isinstance(spec, LogProbabilitySpec) or spec.params.compare is None:
        return []
    first, second = spec.sides([group.label for group in materials.groups])
    bias = mean_bias(materials, scores, first, second)
    categories = np.array(materials.categories)
    x, y = (bias[(categories == name) & ~np.isnan(bias)] for name in spec.params.compare)
    asked = int(np.isin(categories, spec.params.compare).sum())
    shared: dict[str, Any] = {
        "group_a": " + ".join(first),
        "group_b": " + ".join(second),
        "category": " - ".join(spec.params.compare),
        "unit": "stimulus word",
        "n": int((len(x) + len(y)) * sum(len(sentences(materials, side)) for side in (first, second))),
        "n_units": len(x) + len(y),
    }
    if not len(x) or not len(y) or len(x) + len(y) < 3:
        return [Measure(statistic="effect_size", value=None, variant=spec.variant, reason=TOO_FEW, **shared)]
    params = spec.params
    found = compare(x, y, seed=spec.seed, draws=params.permutations, resamples=params.resamples, level=params.level)
    out = asked - len(x) - len(y)
    note = f"{out} attributes that cannot be scored are left out" if out else ""
    return [
        replace(one, variant=join_variants(spec.variant, one.variant)) for one in effect_measures(found, shared, note)
    ]


def mean_bias(materials: Materials, scores: Floats, first: Sequence[str], second: Sequence[str]) -> Floats:
    """Return each attribute's mean log probability bias score over targets and templates, [attributes].

    Targets that give the same sentence in a template (he, for boys and for men) count once there. NaN for an attribute
    that some sentence could not score.
    """
    return np.asarray(_mean(scores, sentences(materials, first)) - _mean(scores, sentences(materials, second)))


def bias_by_kind(materials: Materials, scores: Floats, first: Sequence[str], second: Sequence[str]) -> Floats:
    """Return each attribute's mean bias score over the sentences of each kind, [kinds, attributes].

    NaN if a side has no sentence of that kind.
    """
    kinds = kind_numbers(materials)
    sides = [sentences(materials, side) for side in (first, second)]
    found = [
        [_mean(scores, [cell for cell in cells if kinds[cell[0]] == kind]) for cells in sides]
        for kind in range(kinds.max() + 1)
    ]
    return np.array([one - other for one, other in found])


def _mean(scores: Floats, cells: list[tuple[int, int]]) -> Floats:
    """Return the mean over sentences, given as template and group, [attributes]."""
    if not cells:
        return np.full(scores.shape[2], np.nan)
    templates, groups = zip(*cells, strict=True)
    return np.asarray(scores[list(templates), list(groups)].mean(axis=0))


def sentences(materials: Materials, side: Sequence[str]) -> list[tuple[int, int]]:
    """Return template and group of each distinct sentence of a side, given by the labels of its groups."""
    labels = [group.label for group in materials.groups]
    distinct: dict[tuple[int, str], int] = {}
    for template in range(len(materials.templates)):
        for label in side:
            group = labels.index(label)
            distinct.setdefault((template, sentence(materials, (template, group, 0)).text), group)
    return [(template, group) for (template, _), group in distinct.items()]
