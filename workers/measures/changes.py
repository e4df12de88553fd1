"""Changes of whole measures from one run to another: one family over all of them, and a verdict on each."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from plumbline.spec.audit import AuditSpec
from plumbline.spec.card import MEASURE_CHANGE
from plumbline.spec.measure import Measure, join_variants
from plumbline.spec.verdicts import Scale
from workers.measures.estimated import defined
from workers.measures.judging import judged
from workers.statistics.jackknife import Jackknifed

FEWEST_SKEWED = 20
"""The fewest units for a verdict on a change that few of them may carry. Source: bench/simulations/changes.py."""
FEW = f"a verdict needs {FEWEST_SKEWED} units"
ALIKE = "all units changed alike"


def change_measure(
    statistic: str, found: Jackknifed, *, fewest: int = 0, few: str = FEW, alike: str = ALIKE, **labels: Any
) -> Measure:
    """Return the change of a statistic as a measure.

    Below `fewest` units it has an interval and no test, and `few` is the reason. `alike` is that of units which all
    changed by the same amount.
    """
    enough = found.n_units >= fewest
    return Measure(
        statistic=statistic,
        n_units=found.n_units,
        value=defined(found.value),
        ci_low=defined(found.low),
        ci_high=defined(found.high),
        p_value=defined(found.p_value) if enough else None,
        equivalence_p=defined(found.equivalence_p) if enough else None,
        reason=few if not enough else alike if np.isnan(found.p_value) else "",
        **labels,
    )


def judged_changes(spec: AuditSpec, changes: Sequence[Measure], scales: Mapping[str, Scale]) -> list[Measure]:
    """Return the changes with verdicts, all in one family, each on the scale of its statistic.

    The condition then names the statistic, and after a comma the condition of its measure. Source: METHODS 10.
    """
    known = [one for one in changes if one.value is not None]
    told = judged(spec, known, lambda _: MEASURE_CHANGE.name, lambda _: 0.0, lambda one: scales[one.statistic])
    return [
        replace(one, statistic=MEASURE_CHANGE.name, condition=join_variants(one.statistic, one.condition))
        for one in told
    ]
