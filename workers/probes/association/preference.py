"""Attribute preference: how many attributes of a set lean to the first target (Kurita et al. 2019, section 5).

The share of Table 5 may be one shift of all words, so the median, and a set of neutral words where the spec names one,
stand beside it (METHODS 2).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from plumbline.spec.association import AssociationSpec, Materials
from plumbline.spec.log_probability import LogProbabilitySpec
from plumbline.spec.measure import Measure
from workers.probes.association.effect import mean_bias, sentences
from workers.probes.effect_measures import joined
from workers.probes.estimated import defined, numbers_of
from workers.statistics import estimate_cells
from workers.statistics.preference import Told, median, share_above_zero, superiority
from workers.statistics.units import Floats

BY_ROWS = "by rows"
NONE = "no attribute of the set could be scored"
FEW = "too few attributes for an interval"
ALL_ALIKE = "no interval from resampling: all attributes lean the same way"


@dataclass(frozen=True, slots=True)
class Leaning:
    """One set: the mean bias scores [attributes] of those that could be scored, their rows, and how many could not."""

    category: str
    bias: Floats
    rows: Floats
    unscored: int

    @property
    def note(self) -> str:
        """What the share alone hides."""
        ties = int((self.bias == 0).sum())
        return "; ".join(
            filter(
                None,
                (
                    f"ties: {_attributes(ties)} at exactly 0, not counted for the first target" if ties else "",
                    f"left out: {_attributes(self.unscored)} with a sentence that cannot be scored"
                    if self.unscored
                    else "",
                ),
            )
        )


def preferences(spec: AssociationSpec, materials: Materials, scores: Floats) -> list[Measure]:
    """Share, median and comparison with neutral words, for each set; none without two targets (or two sides of them).

    `scores` [templates, groups, attributes] are increased log probabilities. An attribute counts by its mean over
    targets and templates, once, or once for each of its rows (variant `by rows`).
    """
    labels = [group.label for group in materials.groups]
    if not isinstance(spec, LogProbabilitySpec) or not (len(labels) == 2 or spec.params.sides):
        return []
    first, second = spec.sides(labels)
    asked = sum(len(sentences(materials, side)) for side in (first, second))
    named = {"group_a": " + ".join(first), "group_b": " + ".join(second), "unit": "stimulus word"}
    sets = _sets(materials, mean_bias(materials, scores, first, second))
    found = [one for own in sets.values() for one in _of_set(spec, own, named, asked)]
    neutral = sets.get(spec.params.neutral or "")
    if spec.params.neutral and neutral:
        found += [_beyond(spec, own, neutral, named, asked) for own in sets.values() if own is not neutral]
    return [replace(one, variant=joined(spec.variant, one.variant)) for one in found]


def _sets(materials: Materials, bias: Floats) -> dict[str, Leaning]:
    categories, rows = np.array(materials.categories), np.array([one.rows for one in materials.attributes], dtype=float)
    found = {}
    for category in dict.fromkeys(materials.categories):
        own = categories == category
        known = own & ~np.isnan(bias)
        found[category] = Leaning(category, bias[known], rows[known], int(own.sum() - known.sum()))
    return found


def _of_set(spec: AssociationSpec, own: Leaning, named: dict[str, Any], asked: int) -> Iterator[Measure]:
    shared = {**named, "category": own.category, "n": len(own.bias) * asked, "n_units": len(own.bias)}
    names = ("attribute_preference", "median_log_probability_bias")
    if not len(own.bias):
        reason = "; ".join((NONE, own.note))
        yield from (Measure(statistic=name, value=None, reason=reason, **shared) for name in names)
        return
    level = spec.params.level
    for name, told in zip(names, (share_above_zero(own.bias, level), median(own.bias, level)), strict=True):
        yield _measure(name, told, own.note, shared)
    if own.rows.max() > 1:
        yield _by_rows(spec, own, shared)


def _by_rows(spec: AssociationSpec, own: Leaning, shared: dict[str, Any]) -> Measure:
    """The share over rows. All rows of a title stand or fall together, so titles are resampled and flipped."""
    params, rows = spec.params, own.rows.astype(int)
    units = np.repeat(np.arange(len(rows)), rows)
    # The share minus one half, so that flipping a sign turns a title over to the other target; a tie is at neither.
    above, sides = ((own.bias > 0) - 0.5)[units], (np.sign(own.bias) / 2)[units]
    estimates = estimate_cells(
        np.stack([above, sides]),
        units,
        seed=spec.seed,
        resamples=params.resamples,
        draws=params.permutations,
        level=params.level,
    )
    share, test = numbers_of(estimates, 0), numbers_of(estimates, 1)
    told = {name: None if share[name] is None else share[name] + 0.5 for name in ("value", "ci_low", "ci_high")}
    alike = told["ci_low"] is not None and told["ci_low"] == told["ci_high"]
    if alike:
        told |= {"ci_low": None, "ci_high": None}
    counted = f"{rows.sum():,} rows of {_attributes(len(rows))}"
    reason = "; ".join(filter(None, (counted, share["reason"], ALL_ALIKE if alike else "", own.note)))
    numbers = {**told, "p_value": test["p_value"], "reason": reason}
    return Measure(statistic="attribute_preference", variant=BY_ROWS, **shared, **numbers)


def _beyond(spec: AssociationSpec, own: Leaning, neutral: Leaning, named: dict[str, Any], asked: int) -> Measure:
    """How often an attribute leans to the first target more than a neutral word does: a shared shift falls away."""
    count = len(own.bias) + len(neutral.bias)
    category = f"{own.category} - {neutral.category}"
    shared = {**named, "category": category, "n": count * asked, "n_units": count}
    name = "preference_over_neutral"
    if not len(own.bias) or not len(neutral.bias):
        return Measure(statistic=name, value=None, reason=NONE, **shared)
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
    note = f"{_attributes(len(own.bias))} against {len(neutral.bias)} neutral ones"
    return _measure(name, told, f"{note}; {unscored} left out that cannot be scored" if unscored else note, shared)


def _measure(name: str, told: Told, note: str, shared: dict[str, Any]) -> Measure:
    few = FEW if np.isnan(told.ci_low) or np.isnan(told.ci_high) else ""
    return Measure(
        statistic=name,
        value=told.value,
        ci_low=None if few else told.ci_low,
        ci_high=None if few else told.ci_high,
        p_value=defined(told.p_value),
        reason="; ".join(filter(None, (few, note))),
        **shared,
    )


def _attributes(count: int) -> str:
    return f"{count:,} attribute" + ("" if count == 1 else "s")
