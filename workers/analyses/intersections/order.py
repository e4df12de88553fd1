"""Identity order: whether a pair resembles its first or second component (Cao et al. 2022, 5.2, Q1)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from plumbline.spec.measure import Measure
from workers.analyses.intersections.agreement import Agreement
from workers.analyses.intersections.members import NONE, Members
from workers.measures.estimated import defined
from workers.statistics.crossed import Crossed, CrossedEstimate, crossed_mean
from workers.statistics.resampling import Resampling

UNIT = "component group"
NOT_TESTED = "described, not tested: its difference is"
ONE_PAIR = "one pair of groups: no sampling"
NO_TAU = "the trait scores give no tau"
ONE_ORDER = "no pair stands in the run in both orders"
LEXICAL = "a word of its own: it has no first and no second component"


def measure_of(found: CrossedEstimate, **key: Any) -> Measure:
    """Return a measure of one figure over pairs, resampled by component group."""
    return Measure(
        **key,
        unit=UNIT,
        n=found.n,
        n_units=found.n_units,
        value=defined(found.value),
        ci_low=defined(found.ci_low),
        ci_high=defined(found.ci_high),
        p_value=defined(found.p_value),
        reason=found.reason or (NOT_TESTED if np.isnan(found.p_value) else ""),
    )


def identity_order(members: Members, taus: Agreement, how: Resampling) -> list[Measure]:
    """Return the means over pairs. Comparisons of the first and second component use pairs with both orders only."""
    # The two orders of a pair depend on each other. Numbering by the lower and the higher group puts them in one block.
    low, high = np.minimum(members.first, members.second), np.maximum(members.first, members.second)
    both_orders = members.reverse != NONE
    first, second = np.where(both_orders, taus.first, np.nan), np.where(both_orders, taus.second, np.nan)
    what = (
        ("nearer component", "model", taus.nearer, False),
        ("nearer component", "chance", taus.chance, False),
        ("nearer component", "model - chance", taus.nearer - taus.chance, True),
        ("first component", "model", first, False),
        ("second component", "model", second, False),
        ("second - first component", "model", second - first, True),
        ("other order", "model", taus.reverse, False),
    )
    found = [
        measure_of(
            crossed_mean(values, Crossed(low, high), how, test=test),
            statistic="identity_order",
            category=category,
            condition=condition,
        )
        for category, condition, values, test in what
    ]
    lacks_orders = len(members) > 0 and not both_orders.any()
    rests_on_both = {category for category, *_ in what[3:]}
    return [replace(one, reason=ONE_ORDER) if lacks_orders and one.category in rests_on_both else one for one in found]


def of_each_pair(labels: list[str], members: Members, taus: Agreement, traits: int) -> Iterator[Measure]:
    """Yield the taus of each pair, and a row for each pair whose components are not in the run."""
    lexical = set(members.pairs[members.lexical].tolist())
    others = np.where(members.reverse == NONE, NONE, members.pairs[members.reverse])
    for category, compared, values in (
        ("first component", members.first, taus.first),
        ("second component", members.second, taus.second),
        ("other order", others, taus.reverse),
    ):
        for pair, other, value in zip(members.pairs.tolist(), compared.tolist(), values.tolist(), strict=True):
            if other != NONE and pair not in lexical:
                yield _tau(labels[pair], labels[other], category, value, traits)
    for pair in sorted(lexical):
        yield _tau(labels[pair], "", "", np.nan, 0, LEXICAL)
    for label, lacking in members.incomplete:
        yield _tau(label, "", "", np.nan, 0, f"the run has no group {lacking}")


def _tau(group_a: str, group_b: str, category: str, value: float, n: int, reason: str = ONE_PAIR) -> Measure:
    return Measure(
        statistic="identity_order",
        unit="trait",
        n=n,
        n_units=n,
        value=defined(value),
        group_a=group_a,
        group_b=group_b,
        category=category,
        condition="model",
        reason=reason if n == 0 or not np.isnan(value) else NO_TAU,
    )
