"""Measures of a WEAT run: effect sizes with their permutation tests, and their components."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from plumbline.methods.weat.spec import WeatSpec
from plumbline.spec.measure import Measure, join_variants
from plumbline.spec.word_sets import WordSets
from workers.measures.effect_measures import effect_measures
from workers.measures.estimated import numbers_of
from workers.measures.families import family_by
from workers.measures.judging import judged
from workers.probes.sentence_kinds import frame_numbers
from workers.probes.weat.cosines import Floats, cube
from workers.statistics import estimate_cells
from workers.statistics.set_tests import compare, compare_cut

TOO_FEW = "fewer than two target words are left, or none in a set"
DESCRIBED = "a description of the random cuts: no sampling"
ONE_CUT = "too few cuts have an effect size"


@dataclass(frozen=True, slots=True)
class Kept:
    """The words with a cosine in every template: masks [targets] and [attributes]."""

    targets: Any
    attributes: Any


def summarise(spec: WeatSpec, words: WordSets, templates: tuple[str, ...], records: pl.DataFrame) -> list[Measure]:
    cosines = cube(words, templates, records)
    kept = kept_words(cosines)
    found = [
        *_effects(spec, words, cosines, kept, ""),
        *(
            one
            for number, template in enumerate(templates if len(templates) > 1 else ())
            for one in _effects(spec, words, cosines[number : number + 1], kept, template)
        ),
        *_word_associations(spec, words, templates, cosines, kept),
        *_cosines(spec, words, templates, cosines),
        *_shares(words, kept),
    ]
    tested = judged(spec, found, family_by(spec.families))
    return [replace(one, variant=join_variants(spec.variant, one.variant)) for one in tested]


def kept_words(cosines: Floats) -> Kept:
    """Return the words with an embedding in every template; a word that lacks one is left out of all templates."""
    known = ~np.isnan(cosines)
    # A row is empty because of the word itself, unless the other side has no word at all in that template.
    return Kept(known.any(axis=2).all(axis=0), known.any(axis=1).all(axis=0))


def associations(words: WordSets, cosines: Floats, kept: Kept) -> Floats:
    """Return s(t, A, B) of every target word by template, [templates, targets]; NaN for a word that is left out."""
    own, first = cosines[:, :, kept.attributes], np.arange(len(words.attributes)) < len(words.a)
    in_a = first[kept.attributes]
    s = np.full(cosines.shape[:2], np.nan)
    if in_a.any() and not in_a.all():
        s[:, kept.targets] = (own[:, :, in_a].mean(axis=2) - own[:, :, ~in_a].mean(axis=2))[:, kept.targets]
    return s


def _effects(spec: WeatSpec, words: WordSets, cosines: Floats, kept: Kept, template: str) -> list[Measure]:
    """Return effect size and test statistic over all templates, or of one."""
    s = associations(words, cosines, kept).mean(axis=0)
    x, y = (part[~np.isnan(part)] for part in (s[: len(words.x)], s[len(words.x) :]))
    shared: dict[str, Any] = {
        "group_a": words.names[0],
        "group_b": words.names[1],
        "category": words.contrast,
        "template": template,
        "unit": "stimulus word",
        "n": int(kept.targets.sum() * kept.attributes.sum() * len(cosines)),
        "n_units": len(x) + len(y),
    }
    if not len(x) or not len(y) or len(x) + len(y) < 3:
        return [
            Measure(statistic=name, value=None, reason=TOO_FEW, **shared)
            for name in ("effect_size", "differential_association")
        ]
    params = spec.params
    settings: dict[str, Any] = {
        "seed": spec.seed,
        "draws": params.permutations,
        "resamples": params.resamples,
        "level": params.level,
    }
    paper = compare_cut(x, y, cuts=params.cuts, **settings)
    found = [*effect_measures(paper, shared, _removed(kept, len(x), len(y)))]
    if len(x) != len(y):
        uncut = compare(x, y, **settings)
        found += [replace(one, variant=join_variants("uncut", one.variant)) for one in effect_measures(uncut, shared)]
        found += _of_cuts(paper.of_cuts, shared)
    difference = Measure(
        statistic="differential_association",
        value=paper.difference,
        p_value=paper.p_value,
        reason=paper.two_sided_note,
        **shared,
    )
    return [*found, difference]


def _of_cuts(sizes: Sequence[float], shared: dict[str, Any]) -> list[Measure]:
    """Return how the effect size varies with the words of the larger set that the cuts keep."""
    known = np.array(sizes)[~np.isnan(sizes)]
    counts = {"n": len(known), "n_units": len(known), "unit": "cut"}
    spread = {
        "standard deviation": float(known.std(ddof=1)) if len(known) > 1 else None,
        "least": float(known.min()) if len(known) else None,
        "greatest": float(known.max()) if len(known) else None,
    }
    return [
        Measure(
            statistic="effect_size_of_cuts",
            condition=condition,
            value=value,
            reason=DESCRIBED if value is not None else ONE_CUT,
            **{**shared, **counts},
        )
        for condition, value in spread.items()
    ]


def _removed(kept: Kept, x: int, y: int) -> str:
    out = int((~kept.targets).sum()), int((~kept.attributes).sum())
    if not any(out):
        return ""
    return f"{out[0]} target and {out[1]} attribute words without an embedding are left out ({x} and {y} targets stay)"


def _word_associations(
    spec: WeatSpec, words: WordSets, templates: tuple[str, ...], cosines: Floats, kept: Kept
) -> list[Measure]:
    s = associations(words, cosines, kept)
    rows = _estimated(spec, templates, s.T)
    return [
        Measure(
            statistic="word_association", group_a=word.text, group_b=_set(words, index), category=words.contrast, **row
        )
        for index, (word, row) in enumerate(zip(words.targets, rows, strict=True))
    ]


def _set(words: WordSets, target: int) -> str:
    return words.names[0] if target < len(words.x) else words.names[1]


def _cosines(spec: WeatSpec, words: WordSets, templates: tuple[str, ...], cosines: Floats) -> list[Measure]:
    """Return each pair's mean cosine, without a test, because all cosines differ from 0 in such spaces."""
    pairs = [
        (target.text, attribute.text, words.names[2] if index < len(words.a) else words.names[3])
        for target in words.targets
        for index, attribute in enumerate(words.attributes)
    ]
    untested = dict.fromkeys(("p_value", "familywise_p_value", "equivalence_p", "least_p"))
    return [
        Measure(statistic="cosine", group_a=target, attribute=attribute, category=category, **{**row, **untested})
        for (target, attribute, category), row in zip(
            pairs, _estimated(spec, templates, cosines.reshape(len(cosines), -1).T), strict=True
        )
    ]


def _estimated(spec: WeatSpec, templates: tuple[str, ...], values: Floats) -> list[dict[str, Any]]:
    """Return the estimates of values [cells, templates]; templates that differ only in a quantifier are one unit."""
    params = spec.params
    estimates = estimate_cells(
        values,
        frame_numbers(templates),
        seed=spec.seed,
        draws=params.permutations,
        level=params.level,
    )
    return [{**numbers_of(estimates, row), "unit": "template"} for row in range(len(values))]


def _shares(words: WordSets, kept: Kept) -> list[Measure]:
    """Return the coverage of each set: the share of its words that have an embedding."""
    ends = np.cumsum([len(words.x), len(words.y)])
    sets: Sequence[Any] = (
        kept.targets[: ends[0]],
        kept.targets[ends[0] :],
        kept.attributes[: len(words.a)],
        kept.attributes[len(words.a) :],
    )
    return [
        Measure(
            statistic="scorable_share",
            group_a=name,
            value=float(own.mean()),
            n=len(own),
            n_units=len(own),
            unit="stimulus word",
            reason="a share of the words asked: no sampling",
        )
        for name, own in zip(words.names, sets, strict=True)
    ]
