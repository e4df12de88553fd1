"""Measures of a comparison of two sets of words: the effect size with its two-sided p and the papers' one-sided p."""

from dataclasses import replace
from typing import Any

from plumbline.spec.measure import Measure, join_reasons
from workers.measures.estimated import defined
from workers.statistics.set_tests import Comparison

ONE_SIDED = "one-sided"
ALIKE = "all words are tied alike, so there is no spread to measure in"


def effect_measures(one: Comparison, shared: dict[str, Any], note: str = "") -> list[Measure]:
    """Return the effect size as two measures, with the two-sided and the one-sided p.

    `shared` holds the labels and counts of both, `note` says what was left out. The variant of the first is empty
    (primary).
    """
    value = defined(one.effect_size)
    told, of_share = (
        ALIKE if value is None else join_reasons(how, note) for how in (one.two_sided_note, one.one_sided_note)
    )
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
        reason=join_reasons(of_share, none_greater),
    )
    return [primary, strict]
