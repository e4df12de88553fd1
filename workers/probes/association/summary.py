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
from plumbline.spec.measure import Measure
from workers.probes.estimated import defined, numbers_of
from workers.statistics import estimate_cells, q_values

Floats = npt.NDArray[np.float64]
OTHERS = "(other groups)"


@dataclass(frozen=True, slots=True)
class Contrast:
    """The difference of two groups' scores, paired: values [templates, attributes], NaN where either is missing."""

    group_a: str
    group_b: str
    values: Floats


def summarise(spec: AssociationSpec, materials: Materials, records: pl.DataFrame, card: Card) -> list[Measure]:
    """All measures of a run from its records (columns template, group, attribute, score, scorable)."""
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
    told = [replace(measure, variant=spec.variant, prior=named) for measure in measures]
    return with_q_values(told, spec.families)


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
    elif len(labels) > 1:
        for a, label in enumerate(labels):
            # The mean of those other groups that are scorable in this template with this attribute.
            yield Contrast(label, OTHERS, scores[:, a] - _mean(np.delete(scores, a, axis=1), axis=1))


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
                own[comparable] - _mean(own[comparable], axis=1)[:, None]
            )
        found.append(replace(contrast, values=values))
    return found


def _mean(values: Floats, axis: int) -> Floats:
    """Mean over what is known; NaN where nothing is."""
    known = ~np.isnan(values)
    count = known.sum(axis=axis)
    mean: Floats = np.full(count.shape, np.nan)
    np.divide(np.where(known, values, 0.0).sum(axis=axis), count, out=mean, where=count > 0)
    return mean


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
    """The label of a measure's family: one statistic, and overall rows apart."""
    parts = [key.get(column, "") for column in ("statistic", *columns)]
    return "\x1f".join([*parts, "" if key.get("attribute") else "overall"])


def with_q_values(measures: list[Measure], columns: Sequence[str]) -> list[Measure]:
    """The measures with q over their families; those without a p-value are not counted."""
    p = np.array([np.nan if measure.p_value is None else measure.p_value for measure in measures])
    keys = [
        {column: getattr(measure, column) for column in ("statistic", *columns, "attribute")} for measure in measures
    ]
    q = q_values(p, np.array([_family(key, columns) for key in keys]))
    return [replace(measure, q_value=defined(value)) for measure, value in zip(measures, q, strict=True)]
