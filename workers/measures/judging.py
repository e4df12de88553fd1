"""Verdicts of a run: the q-values of all families, the smallest effect of each statistic, and the verdict."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from plumbline.spec.audit import AuditSpec
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES
from plumbline.spec.verdicts import FEWEST_UNITS
from workers.measures.estimated import defined
from workers.statistics.verdicts import Effects, judge

Family = Callable[[Measure], str | None]
"""The function that returns the label of a measure's family, or None if the measure is not tested."""
Null = Callable[[Measure], float | None]


def smallest_effect(spec: AuditSpec, statistic: str) -> float:
    """Return the smallest effect of this statistic that matters, in its unit; NaN if no margin is declared."""
    found = PROBES[spec.probe].card.statistic(statistic)
    return spec.margin(found.scale) if found is not None and found.scale else np.nan


def judged(spec: AuditSpec, measures: Sequence[Measure], family: Family, null: Null = lambda _: None) -> list[Measure]:
    """Return the measures with q-values if they have a family and a value, and verdicts if a scale is declared.

    `null` returns a measure's value under no effect, or None for that of its statistic.
    """
    labels = [family(one) if _is_tested(spec, one) else None for one in measures]
    members = [one for one, label in zip(measures, labels, strict=True) if label is not None]
    margins = [smallest_effect(spec, one.statistic) for one in members]
    found = judge(
        Effects(
            estimate=np.array([_effect(spec, one, null(one)) for one in members], dtype=np.float64),
            p_value=_numbers([one.p_value for one in members]),
            equivalence_p=_numbers([one.equivalence_p for one in members]),
            least_p=_numbers([one.least_p for one in members], 0.0),
            smallest_effect=np.array(margins),
            # A statistic without a verdict gets its q-value for any number of units.
            n_units=np.array([one.n_units if _has_scale(spec, one) else FEWEST_UNITS for one in members]),
            family=np.array([label for label in labels if label is not None], dtype=str),
        ),
        spec.alpha,
    )
    told = iter(
        replace(
            one,
            q_value=defined(found.q_value[at]),
            equivalence_q=defined(found.equivalence_q[at]),
            reachable_q=defined(found.reachable_q[at]),
            smallest_effect=defined(margins[at]),
            verdict=found.verdict[at] if _has_scale(spec, one) else "",
        )
        for at, one in enumerate(members)
    )
    return [one if label is None else next(told) for one, label in zip(measures, labels, strict=True)]


def _is_tested(spec: AuditSpec, one: Measure) -> bool:
    return one.value is not None and (one.p_value is not None or _has_scale(spec, one))


def _has_scale(spec: AuditSpec, one: Measure) -> bool:
    found = PROBES[spec.probe].card.statistic(one.statistic)
    return found is not None and found.scale is not None


def _effect(spec: AuditSpec, one: Measure, null: float | None) -> float:
    """Return the difference between the value and that of no effect."""
    found = PROBES[spec.probe].card.statistic(one.statistic)
    known = null if null is not None else found.null if found is not None else 0.0
    return (one.value or 0.0) - known


def _numbers(given: Sequence[float | None], missing: float = np.nan) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([missing if one is None else one for one in given], dtype=np.float64)
