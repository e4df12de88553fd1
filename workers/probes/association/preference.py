"""Attribute preference: the share of a set's attributes that lean to the first target (Kurita et al. 2019, section 5).

The share of Table 5 may come from one shift of all words. The median, and a comparison with neutral words where the
spec names some, are therefore reported too (METHODS 2). Titles such as the grades of an engineer are not independent
observations, nor are sentences of one kind, so the test is over word families and kinds of sentence (METHODS 1a).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plumbline.methods.association.log_probability import LogProbabilitySpec
from plumbline.spec.association import AssociationSpec
from plumbline.spec.content import Attribute
from plumbline.spec.materials import Materials
from plumbline.spec.measure import FAMILY_AND_KIND, Measure, join_reasons, join_variants
from workers.measures.estimated import defined
from workers.measures.judging import smallest_effect
from workers.probes.association.effect import bias_by_kind, mean_bias, sentences
from workers.probes.cell_scores.shared_differences import by_family
from workers.statistics.crossed_means import CrossedMean, crossed_mean_of_table, fill_missing
from workers.statistics.preference import superiority
from workers.statistics.rates.rate_intervals import exact_limits
from workers.statistics.units import Floats

SHARE, MEDIAN, OVER_NEUTRAL = "attribute_preference", "median_log_probability_bias", "preference_over_neutral"
BY_WORDS, BY_ROWS = "by words", "by rows"
NONE = "no attribute of the set could be scored"
FEW = "too few attributes for an interval"
ONE_WAY = "one word family, or one kind of sentence: no interval and no test"
DESCRIBED = "describes these words in these sentences"


@dataclass(frozen=True, slots=True)
class Leaning:
    """One set: its scorable attributes, their mean bias scores, and the number of unscorable ones."""

    category: str
    attributes: tuple[Attribute, ...]
    bias: Floats
    """[attributes]"""
    table: Floats
    """The share of each word family that leans to the first target in each kind of sentence, [families, kinds]."""
    unscored: int

    @property
    def rows(self) -> Floats:
        return np.array([one.rows for one in self.attributes], dtype=np.float64)

    @property
    def note(self) -> str:
        """The numbers of ties and of unscorable attributes, which the share hides."""
        ties = int((self.bias == 0).sum())
        told = (
            f"ties: {_attributes(ties)} at exactly 0, not counted for the first target" if ties else "",
            f"left out: {_attributes(self.unscored)} with a sentence that cannot be scored" if self.unscored else "",
        )
        return join_reasons(*told)


def preferences(spec: AssociationSpec, materials: Materials, scores: Floats) -> list[Measure]:
    """Return share, median and comparison with neutral words of each set; empty without two targets or sides.

    `scores` [templates, groups, attributes] are increased log probabilities. The share weights word families and kinds
    of sentence equally. The paper's shares count each attribute once (variant `by words`) or once per row (`by rows`),
    by its mean over targets and templates.
    """
    labels = [group.label for group in materials.groups]
    if not isinstance(spec, LogProbabilitySpec) or not (len(labels) == 2 or spec.params.sides):
        return []
    first, second = spec.sides(labels)
    asked = sum(len(sentences(materials, side)) for side in (first, second))
    named = {"group_a": " + ".join(first), "group_b": " + ".join(second)}
    bias, by_kind = (of(materials, scores, first, second) for of in (mean_bias, bias_by_kind))
    sets = _sets(materials, bias, by_kind)
    found = [one for own in sets.values() for one in _of_set(spec, own, named, asked)]
    neutral = sets.get(spec.params.neutral or "")
    if spec.params.neutral and neutral:
        found += [_beyond(spec, own, neutral, named, asked) for own in sets.values() if own is not neutral]
    return [replace(one, variant=join_variants(spec.variant, one.variant)) for one in found]


def _sets(materials: Materials, bias: Floats, by_kind: Floats) -> dict[str, Leaning]:
    categories = np.array(materials.categories)
    above = np.where(np.isnan(by_kind), np.nan, (np.sign(by_kind) + 1) / 2)
    found = {}
    for category in dict.fromkeys(materials.categories):
        own = categories == category
        known = np.flatnonzero(own & ~np.isnan(bias))
        attributes = tuple(materials.attributes[place] for place in known)
        table = by_family(attributes, above[:, known])
        found[category] = Leaning(category, attributes, bias[known], table, int(own.sum() - len(known)))
    return found


def _of_set(spec: AssociationSpec, own: Leaning, named: dict[str, Any], asked: int) -> Iterator[Measure]:
    shared = {**named, "category": own.category, "n": len(own.bias) * asked}
    words = {**shared, "unit": "stimulus word", "n_units": len(own.bias)}
    if not len(own.bias):
        reason = join_reasons(NONE, own.note)
        yield from (Measure(statistic=name, value=None, reason=reason, **words) for name in (SHARE, MEDIAN))
        return
    yield _share(spec, own, shared)
    leaning = own.bias > 0
    told = join_reasons(DESCRIBED, own.note)
    yield Measure(statistic=SHARE, variant=BY_WORDS, value=float(leaning.mean()), reason=told, **words)
    yield Measure(statistic=MEDIAN, value=float(np.median(own.bias)), reason=told, **words)
    if own.rows.max() > 1:
        counted = f"{own.rows.sum():,.0f} rows of {_attributes(len(own.rows))}"
        value = float(np.average(leaning, weights=own.rows))
        yield Measure(statistic=SHARE, variant=BY_ROWS, value=value, reason=join_reasons(counted, told), **words)


def _share(spec: AssociationSpec, own: Leaning, shared: dict[str, Any]) -> Measure:
    """Return the share over families and kinds with equal weights.

    A word that leans to neither target counts as half.
    """
    found = crossed_mean_of_table(own.table, null=0.5, margin=smallest_effect(spec, SHARE), level=spec.params.level)
    low, high = _limits(found, min(fill_missing(own.table).shape), spec.params.level)
    return Measure(
        statistic=SHARE,
        unit=FAMILY_AND_KIND,
        n_units=min(own.table.shape),
        value=found.value,
        ci_low=_within(low),
        ci_high=_within(high),
        p_value=defined(found.p_value),
        equivalence_p=defined(found.equivalence_p),
        reason=join_reasons(ONE_WAY if np.isnan(low) else "", own.note),
        **shared,
    )


def _limits(found: CrossedMean, units: int, level: float) -> tuple[float, float]:
    """Return the interval, or the exact limits over the smaller dimension if all families lean alike in all kinds."""
    if units < 2 or not np.isnan(found.ci_low):
        return found.ci_low, found.ci_high
    low, high = exact_limits(found.value, units, level)
    return float(low), float(high)


def _within(end: float) -> float | None:
    """Return the limit of an interval of a share, clipped to [0, 1]; None for NaN."""
    return defined(float(np.clip(end, 0.0, 1.0)))


def _beyond(spec: AssociationSpec, own: Leaning, neutral: Leaning, named: dict[str, Any], asked: int) -> Measure:
    """Return how often an attribute leans to the first target more than a neutral word; a shared shift cancels."""
    count = len(own.bias) + len(neutral.bias)
    category = f"{own.category} - {neutral.category}"
    shared = {**named, "category": category, "n": count * asked, "n_units": count, "unit": "stimulus word"}
    if not len(own.bias) or not len(neutral.bias):
        return Measure(statistic=OVER_NEUTRAL, value=None, reason=NONE, **shared)
    params = spec.params
    told = superiority(
        own.bias,
        neutral.bias,
        seed=spec.seed,
        draws=params.permutations,
        resamples=params.resamples,
        level=params.level,
    )
    unscored = own.unscored + neutral.unscored
    few = bool(np.isnan(told.ci_low) or np.isnan(told.ci_high))
    return Measure(
        statistic=OVER_NEUTRAL,
        value=told.value,
        ci_low=None if few else told.ci_low,
        ci_high=None if few else told.ci_high,
        p_value=defined(told.p_value),
        reason=join_reasons(
            FEW if few else "",
            f"{_attributes(len(own.bias))} against {len(neutral.bias)} neutral ones",
            f"{unscored} left out that cannot be scored" if unscored else "",
        ),
        **shared,
    )


def _attributes(count: int) -> str:
    return f"{count:,} attribute" + ("" if count == 1 else "s")
