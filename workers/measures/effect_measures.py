"""Two sets of words compared, as measures: the effect size with its two-sided p, and with the papers' one-sided one."""

from dataclasses import replace
from typing import Any

from plumbline.spec.measure import Measure
from workers.measures.estimated import defined
from workers.statistics.set_tests import Comparison

ONE_SIDED = "one-sided"
ALIKE = "all words are tied alike, so there is no spread to measure in"


def effect_measures(one: Comparison, shared: dict[str, Any], note: str = "") -> list[Measure]:
    """`shared` are the labels and counts of both; `note` says what was left out. An empty variant is primary."""
    value = defined(one.effect_size)
    told = ALIKE if value is None else "; ".join(filter(None, (one.note, note)))
    primary = Measure(
        statistic="effect_size",
        value=value,
        ci_low=defined(one.ci_low),
        ci_high=defined(one.ci_high),
        p_value=one.p_value,
        reason=told,
        **shared,
    )
    none_greater = "" if one.one_sided else f"no split of {one.splits:,} is greater: p is below 1/{one.splits}"
    strict = replace(
        primary,
        variant=ONE_SIDED,
        p_value=one.one_sided or None,
        reason="; ".join(filter(None, (told, none_greater))),
    )
    return [primary, strict]


def joined(*variants: str) -> str:
    return ", ".join(variant for variant in variants if variant)
