"""Robustness of an association run: variance components, reliability, and ranges without one kind."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from plumbline.spec.association import AssociationSpec
from plumbline.spec.banks.pairs import pairs_of
from plumbline.spec.card import Card
from plumbline.spec.grammar import frame
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure
from plumbline.spec.robustness import (
    BY_KIND,
    DIFFERENCE_COMPONENT,
    KINDS_NEEDED,
    LEAVE_ONE_OUT,
    RELIABILITY,
    SCORE_COMPONENT,
)
from plumbline.spec.shared_statistics import PAIR_SCORE
from workers.analyses.alignment.pair_scores import pair_scores
from workers.measures.estimated import defined
from workers.probes.cell_scores.cell_measures import KIND
from workers.probes.cell_scores.contrasts import Contrast, Floats
from workers.probes.cell_scores.shared_differences import families_by_kinds
from workers.probes.sentence_kinds import frame_numbers, kind_numbers
from workers.statistics.crossed_means import fill_missing
from workers.statistics.known import mean_of_known
from workers.statistics.leave_one_out import leave_one_out
from workers.statistics.nesting import nested_means
from workers.statistics.reliability import split_half_reliability
from workers.statistics.variance_components import complete_part, difference_components, score_components

FEW_WORDS = "fewer than three words, or than two kinds of sentence"
NEVER = "halves of the kinds agree no more than by chance: no number of kinds can be told"
INCOMPLETE = "fewer than two words, groups or kinds of sentence that are scored throughout"
ONE_FRAME = "no kind has two frames: it is part of the component of the kind"
HALVES = "over random halves of the kinds: no interval"
RANGE = "the interval is the range without one kind"
NO_TEST = "it describes: no interval and no test"


def robustness(
    spec: AssociationSpec, materials: Materials, scores: Floats, contrasts: Sequence[Contrast], card: Card
) -> Iterator[Measure]:
    """Yield all robustness measures of scores [templates, groups, attributes] and of differences between groups."""
    yield from _score_components(materials, scores)
    yield from _difference_components(materials, contrasts)
    for contrast in contrasts:
        labels: dict[str, Any] = {"group_a": contrast.group_a, "group_b": contrast.group_b}
        yield from _reliability(spec, _by_kind(materials, contrast.values), card.difference, labels)
        yield from _words_left_out(materials, contrast)
        yield from _lists_left_out(materials, contrast)
    pairs = pairs_of(materials.attributes)
    of_pairs = pair_scores(scores, pairs)
    for place, group in enumerate(materials.groups):
        own = {"group_a": group.label}
        yield from _reliability(spec, _by_kind(materials, scores[:, place]), card.score, own)
        if pairs:
            yield from _reliability(spec, _by_kind(materials, of_pairs[:, place]), PAIR_SCORE.name, own)


def _by_kind(materials: Materials, values: Floats) -> Floats:
    """Return values [templates, words] as means [words, kinds]."""
    return nested_means(values.T, kind_numbers(materials), frame_numbers(materials.templates)).means.by_unit


def _reliability(spec: AssociationSpec, table: Floats, ranked: str, labels: dict[str, Any]) -> Iterator[Measure]:
    found = split_half_reliability(table, spec.seed)
    known = ~np.isnan(table)
    counts: dict[str, Any] = {"n": int(known.any(axis=1).sum()), "n_units": int(known.any(axis=0).sum())}
    for statistic, value in ((RELIABILITY, found.value), (KINDS_NEEDED, found.kinds_needed)):
        missing = FEW_WORDS if np.isnan(found.value) else NEVER
        reason = missing if np.isnan(value) else HALVES
        yield Measure(statistic.name, KIND, **counts, value=defined(value), condition=ranked, reason=reason, **labels)


def _difference_components(materials: Materials, contrasts: Sequence[Contrast]) -> Iterator[Measure]:
    kinds, frames = kind_numbers(materials), frame_numbers(materials.templates)
    every = []
    for contrast in contrasts:
        words, _ = complete_part(~np.isnan(contrast.values.T))
        found = asdict(difference_components(contrast.values.T[words], kinds, frames))
        every.append(found)
        labels: dict[str, Any] = {"group_a": contrast.group_a, "group_b": contrast.group_b}
        yield from _components(materials, DIFFERENCE_COMPONENT.name, found, len(words) * len(kinds), labels)
    if every:
        pooled = {name: float(mean_of_known(np.array([one[name] for one in every]), 0)) for name in every[0]}
        n = sum(int((~np.isnan(one.values)).sum()) for one in contrasts)
        yield from _components(materials, DIFFERENCE_COMPONENT.name, pooled, n, {})


def _score_components(materials: Materials, scores: Floats) -> Iterator[Measure]:
    values = np.moveaxis(scores, 0, 2)
    groups, words, templates = complete_part(~np.isnan(values))
    part = values[np.ix_(groups, words, templates)]
    found = asdict(score_components(part, kind_numbers(materials), frame_numbers(materials.templates)))
    yield from _components(materials, SCORE_COMPONENT.name, found, part.size, {})


def _components(
    materials: Materials, statistic: str, found: dict[str, float], n: int, labels: dict[str, Any]
) -> Iterator[Measure]:
    """Yield a measure for each source of variance; its condition names the source, such as "word x kind"."""
    kinds, frames = (len(np.unique(one)) for one in (kind_numbers(materials), frame_numbers(materials.templates)))
    for name, value in found.items():
        missing = INCOMPLETE if np.isnan(found["word"]) else ONE_FRAME
        yield Measure(
            statistic,
            KIND,
            n,
            kinds,
            defined(value),
            n_frames=frames,
            condition=name.replace("_by_", " x "),
            reason=missing if np.isnan(value) else NO_TEST,
            **labels,
        )


def _words_left_out(materials: Materials, contrast: Contrast) -> Iterator[Measure]:
    """Yield each word's difference and its range without one kind; nothing for a word of one kind."""
    table = _by_kind(materials, contrast.values)
    low, high = leave_one_out(table)
    value, known = mean_of_known(table, axis=1), (~np.isnan(table)).sum(axis=1)
    words = zip(materials.attributes, materials.categories, strict=True)
    for place, (attribute, category) in enumerate(words):
        if not np.isnan(low[place]):
            yield Measure(
                LEAVE_ONE_OUT.name,
                KIND,
                int(known[place]),
                int(known[place]),
                float(value[place]),
                float(low[place]),
                float(high[place]),
                group_a=contrast.group_a,
                group_b=contrast.group_b,
                category=category,
                attribute=attribute.text,
                reason=RANGE,
            )


def _lists_left_out(materials: Materials, contrast: Contrast) -> Iterator[Measure]:
    """Yield the mean difference of each list with its range without one kind, and the mean in each kind."""
    categories, names = np.array(materials.categories), _kind_names(materials)
    for category in dict.fromkeys(materials.categories):
        members = np.flatnonzero(categories == category)
        table = families_by_kinds(materials, contrast.values[:, members], members)
        there = np.flatnonzero((~np.isnan(table)).any(axis=0))
        full = fill_missing(table)
        if full.shape[1] < 2:
            continue
        shared: dict[str, Any] = {"group_a": contrast.group_a, "group_b": contrast.group_b, "category": category}
        low, high = leave_one_out(full.mean(axis=0)[None])
        units: dict[str, Any] = {"n": full.size, "n_units": full.shape[1]}
        limits: dict[str, Any] = {"value": float(full.mean()), "ci_low": float(low[0]), "ci_high": float(high[0])}
        yield Measure(LEAVE_ONE_OUT.name, KIND, **units, **limits, reason=RANGE, **shared)
        for kind, value in zip(there.tolist(), full.mean(axis=0).tolist(), strict=True):
            counts: dict[str, Any] = {"n": len(full), "n_units": 1}
            yield Measure(BY_KIND.name, KIND, **counts, value=value, template=names[kind], reason=NO_TEST, **shared)


def _kind_names(materials: Materials) -> list[str]:
    """Return the names of the kinds by their numbers."""
    return list(dict.fromkeys(materials.kinds or map(frame, materials.templates)))
