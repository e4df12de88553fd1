"""Measures of an association run: scores of groups, differences between groups, coverage.

The unit of generalisation is the template frame: templates that differ in a quantifier only form one block
(METHODS 1). Differences are paired, template by template, so what the templates have in common cancels.
"""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from plumbline.spec.association import AssociationSpec, Materials
from plumbline.spec.card import Card
from plumbline.spec.grammar import frame
from plumbline.spec.judgements import Judgements
from plumbline.spec.measure import Measure
from workers.probes.association.effect import effects
from workers.probes.association.left_out import left_out, noted
from workers.probes.association.people import alignment
from workers.probes.association.preference import preferences
from workers.probes.estimated import defined, numbers_of
from workers.probes.intersections.members import members_of
from workers.probes.intersections.summary import intersections
from workers.statistics import estimate_cells, q_values
from workers.statistics.known import mean_of_known

Floats = npt.NDArray[np.float64]
OTHERS = "(other groups)"


@dataclass(frozen=True, slots=True)
class Contrast:
    """The difference of two groups' scores, paired: values [templates, attributes], NaN where either is missing."""

    group_a: str
    group_b: str
    values: Floats


def summarise(
    spec: AssociationSpec,
    materials: Materials,
    records: pl.DataFrame,
    card: Card,
    judgements: Judgements | None = None,
) -> list[Measure]:
    """All measures of a run from its records (columns template, group, attribute, score, scorable, reason)."""
    scores = cube(materials, records)
    contrasts = list(_contrasts(materials, scores, spec.params.contrasts))
    measures = [
        *_group_scores(spec, materials, scores, card.score),
        *_differences(spec, materials, contrasts, card.difference),
        *_differences(spec, materials, _centred(materials, contrasts), f"{card.difference}_centred"),
        *_overall(spec, materials, contrasts, card.difference),
        *_scorable_shares(materials, scores),
    ]
    prior = getattr(spec, "prior", None)
    named = prior.label if prior is not None else ""
    told = noted(with_q_values(measures, spec.families), left_out(records, len(materials.templates)))
    pairs = intersections(spec, materials, scores, frame_numbers(materials.templates))
    people = alignment(spec, materials, scores, frame_numbers(materials.templates), judgements)
    aligned = with_q_values(people, spec.families)
    variant = spec.variant
    return [
        *(replace(measure, variant=variant, prior=named) for measure in told),
        *(replace(one, variant=_joined(one.variant, variant), prior=named) for one in aligned),
        *(replace(measure, variant=variant, prior=named) for measure in pairs),
        *effects(spec, materials, scores),
        *with_q_values(preferences(spec, materials, scores), spec.families, variant),
    ]


def _joined(*variants: str) -> str:
    return ", ".join(filter(None, variants))


def cube(materials: Materials, records: pl.DataFrame) -> Floats:
    """Scores [templates, groups, attributes]; NaN where an item is not scorable."""
    labels = (
        materials.templates,
        [group.label for group in materials.groups],
        [attribute.text for attribute in materials.attributes],
    )
    scores = np.full([len(axis) for axis in labels], np.nan)
    scorable = records.filter(pl.col("scorable"))
    index = tuple(
        scorable[column].replace_strict(list(axis), list(range(len(axis))), return_dtype=pl.Int32).to_numpy()
        for column, axis in zip(("template", "group", "attribute"), labels, strict=True)
    )
    scores[index] = scorable["score"].to_numpy()
    return scores


def frame_numbers(templates: Sequence[str]) -> npt.NDArray[np.int64]:
    """For each template the number of its frame."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(frame(template), len(numbers)) for template in templates])


def _contrasts(materials: Materials, scores: Floats, which: str | None) -> Iterable[Contrast]:
    labels = [group.label for group in materials.groups]
    if (which or ("pairs" if len(labels) == 2 else "rest")) == "pairs":
        for a, b in itertools.combinations(range(len(labels)), 2):
            yield Contrast(labels[a], labels[b], scores[:, a] - scores[:, b])
    else:
        compared = np.arange(len(labels)) if which else _without_pairs(materials)
        if len(compared) > 1:
            differences = _minus_rest(scores[:, compared])
            yield from (Contrast(labels[a], OTHERS, differences[:, at]) for at, a in enumerate(compared.tolist()))


def _without_pairs(materials: Materials) -> npt.NDArray[np.intp]:
    """By default a pair is compared with its components alone: a run says the same of single groups with and without.

    Else thousands of pairs, which hold the group itself, would be what a group is compared with.
    """
    whole = members_of(materials.groups).pairs
    return np.setdiff1d(np.arange(len(materials.groups)), whole)


def _minus_rest(scores: Floats) -> Floats:
    """Of scores [templates, groups, attributes] each minus the mean of the others that are scorable in its place."""
    # From the least one on: groups that score alike must differ by exactly nothing, whatever the order of the sum.
    above = scores - np.fmin.reduce(scores, axis=1, keepdims=True)
    known = ~np.isnan(above)
    others = known.sum(axis=1, keepdims=True) - 1
    mean = np.full(scores.shape, np.nan)
    total = np.where(known, above, 0.0).sum(axis=1, keepdims=True)
    np.divide(total - above, others, out=mean, where=known & (others > 0))
    return np.asarray(above - mean)


def _centred(materials: Materials, contrasts: Sequence[Contrast]) -> list[Contrast]:
    """Each difference minus its mean over the words of the list, template by template: what a word has of its own.

    A shift that all words share, such as a group's name that is rarer before any word, falls away. A word that
    is alone, in its list or in a template, has nothing to be compared with: NaN.
    """
    categories = np.array(materials.categories)
    found = []
    for contrast in contrasts:
        values = np.full(contrast.values.shape, np.nan)
        for category in np.unique(categories):
            own = contrast.values[:, categories == category]
            comparable = (~np.isnan(own)).sum(axis=1) > 1
            values[np.ix_(comparable, categories == category)] = (
                own[comparable] - mean_of_known(own[comparable], axis=1)[:, None]
            )
        found.append(replace(contrast, values=values))
    return found


def _group_scores(spec: AssociationSpec, materials: Materials, scores: Floats, statistic: str) -> list[Measure]:
    keys = [
        {"statistic": statistic, "group_a": group.label, "category": category, "attribute": attribute.text}
        for group in materials.groups
        for attribute, category in zip(materials.attributes, materials.categories, strict=True)
    ]
    values = scores.reshape(len(materials.templates), -1).T
    return _estimated(spec, keys, values, frame_numbers(materials.templates), "template")


def _differences(
    spec: AssociationSpec, materials: Materials, contrasts: list[Contrast], statistic: str
) -> list[Measure]:
    if not contrasts:
        return []
    keys = [
        {
            "statistic": statistic,
            "group_a": contrast.group_a,
            "group_b": contrast.group_b,
            "category": category,
            "attribute": attribute.text,
        }
        for contrast in contrasts
        for attribute, category in zip(materials.attributes, materials.categories, strict=True)
    ]
    values = np.concatenate([contrast.values.T for contrast in contrasts])
    return _estimated(spec, keys, values, frame_numbers(materials.templates), "template")


def _overall(spec: AssociationSpec, materials: Materials, contrasts: list[Contrast], statistic: str) -> list[Measure]:
    """Each difference over all attributes of a list: the unit is the stimulus word, not the template."""
    found: list[Measure] = []
    for category in dict.fromkeys(materials.categories):
        members = [index for index, own in enumerate(materials.categories) if own == category]
        keys = [
            {"statistic": statistic, "group_a": one.group_a, "group_b": one.group_b, "category": category}
            for one in contrasts
        ]
        if not keys:
            continue
        values = np.stack([contrast.values[:, members].T.ravel() for contrast in contrasts])
        units = np.repeat(np.arange(len(members)), len(materials.templates))
        rows = _estimated(spec, keys, values, units, "stimulus word")
        # Lists have words of their own, so their rows share no permutations, which a familywise p rests on.
        found += [replace(row, familywise_p_value=None) for row in rows]
    return found


def _estimated(
    spec: AssociationSpec,
    keys: list[dict[str, Any]],
    values: Floats,
    units: npt.NDArray[np.int64],
    unit: str,
) -> list[Measure]:
    family = [_family(key, spec.families) for key in keys]
    estimates = estimate_cells(
        values,
        units,
        seed=spec.seed,
        family=np.array(family),
        resamples=spec.params.resamples,
        draws=spec.params.permutations,
        level=spec.params.level,
    )
    return [Measure(**key, **numbers_of(estimates, row), unit=unit) for row, key in enumerate(keys)]


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


def _family(key: dict[str, str], columns: Sequence[str]) -> str:
    """The label of a measure's family: one statistic, and overall rows apart.

    Agreement with people (which has a condition) has overall rows of all, of each group, and of some of the annotators.
    """
    parts = [key.get(column, "") for column in ("statistic", *columns)]
    of = [label for label in ("group_a", "category") if key.get("condition") and key.get(label)]
    return "\x1f".join([*parts, *([] if key.get("attribute") else ["overall", *of])])


def with_q_values(measures: list[Measure], columns: Sequence[str], own: str = "") -> list[Measure]:
    """The measures with q over their families; those without a p-value are not counted.

    Nor is another variant than the run's `own`: it tests the same thing as the primary figure once more.
    """
    counted = [one.p_value if one.variant == own else None for one in measures]
    p = np.array([np.nan if value is None else value for value in counted])
    labels = ("statistic", *columns, "attribute", "condition", "group_a", "category")
    keys = [{label: getattr(measure, label) for label in labels} for measure in measures]
    q = q_values(p, np.array([_family(key, columns) for key in keys]))
    return [replace(measure, q_value=defined(value)) for measure, value in zip(measures, q, strict=True)]
