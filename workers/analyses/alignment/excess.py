"""Excess agreement of a model with people's ratings of each group over their ratings of other groups.

T is tau with the groups' own ratings. T0 is its mean when groups exchange their ratings. Patterns that all groups
share, opposed ones too, are in both. T - T0 is tested instead of T, because a model that follows what people say of
every group agrees with them without distinguishing groups.
"""

from dataclasses import dataclass

import numpy as np

from plumbline.analyses.alignment.statistics import EXCESS
from plumbline.spec.measure import Measure
from plumbline.spec.power.attainable_p import of_orders
from workers.analyses.alignment.agreement import TIED, Tables, of_groups
from workers.measures.estimated import defined
from workers.statistics.correlations.correlation_equivalence import equivalence_p
from workers.statistics.correlations.rank_agreement import centred_p, kendall_tau, permuted_taus, resampled_taus
from workers.statistics.intervals import times_drawn
from workers.statistics.permutation_tests.exchanged_rows import exchanged_taus
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats

EXCHANGED = "exchanged"
"""The condition of T0."""
ALONE = "one group: no other ratings to exchange its own with"


@dataclass(frozen=True, slots=True)
class Tested:
    """T0, T - T0 and its tests; `resampled` [resamples] holds T - T0 over resampled groups."""

    exchanged: float
    excess: float
    p_value: float
    equivalence_p: float
    least_p: float
    resampled: Floats


def excess(tables: Tables, resampling: Resampling, margin: float) -> list[Measure]:
    """Return T0 (`kendall_tau`, condition `exchanged`) and T - T0 (condition `model`); unit: the group.

    p permutes the groups and is centred on T0. The interval and the equivalence p are from a bootstrap over groups.
    """
    groups = len(tables.labels)
    counts = of_groups(tables, groups)
    tested = excess_of(tables.scores, tables.human, resampling, margin) if groups > 1 else None
    if tested is None or np.isnan(tested.excess):
        return [Measure(EXCESS.name, value=None, condition="model", reason=TIED if tested else ALONE, **counts)]
    low, high = resampling.interval(tested.resampled, groups)
    return [
        Measure("kendall_tau", value=tested.exchanged, condition=EXCHANGED, reason="a mean: no interval", **counts),
        Measure(
            EXCESS.name,
            value=tested.excess,
            ci_low=defined(low),
            ci_high=defined(high),
            p_value=defined(tested.p_value),
            equivalence_p=defined(tested.equivalence_p),
            least_p=tested.least_p,
            condition="model",
            **counts,
        ),
    ]


def excess_of(scores: Floats, human: Floats, resampling: Resampling, margin: float) -> Tested:
    """Return T0, T - T0 and its tests from scores and mean ratings [groups, pairs]; NaN is missing.

    Source: METHODS 1a (ours).
    """
    groups = len(scores)
    value, _ = kendall_tau(scores.ravel(), human.ravel())
    weights = times_drawn(groups, resampling.resamples, resampling.seed)
    # The groups as they are come first.
    every = exchanged_taus(scores, human, np.concatenate([np.ones((groups, 1)), weights], axis=1))
    exchanged = float(every[0])
    drawn = permuted_taus(scores, human, resampling.orders(groups))
    resampled = resampled_taus(scores, human, weights) - every[1:]
    return Tested(
        exchanged,
        value - exchanged,
        centred_p(value, drawn, exchanged),
        equivalence_p(value - exchanged, resampled, margin, groups),
        # With few groups there are fewer permutations than draws.
        least_p=of_orders(groups, resampling.permutations),
        resampled=resampled,
    )
