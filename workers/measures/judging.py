"""Verdicts of a run: the q-values of all families, the smallest effect of each statistic, and the verdict."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from plumbline.spec.audit import AuditSpec
from plumbline.spec.measure import Measure
from plumbline.spec.registry import PROBES
from plumbline.spec.verdicts import FEWEST_UNITS, Scale
from workers.measures.estimated import defined
from workers.statistics.verdicts import Effects, judge

Family = Callable[[Measure], str | None]
"""The function that returns the label of a measure's family, or None if the measure is not tested."""
Null = Callable[[Measure], float | None]
ScaleOf = Callable[[Measure], Scale | None]
"""The function that returns the scale of a measure's smallest effect, or None for one without a verdict."""


def smallest_effect(spec: AuditSpec, statistic: str) -> float:
    """Return the smallest effect of this statistic that matters, in its unit; NaN if no margin is declared."""
    found = PROBES[spec.probe].card.statistic(statistic)
    return spec.margin(found.scale) if found is not None and found.scale else np.nan


def judged(
    spec: AuditSpec,
    measures: Sequence[Measure],
    family: Family,
    null: Null = lambda _: None,
    scale_of: ScaleOf | None = None,
) -> list[Measure]:
    """Return the measures with q-values if they have a family and a value, and verdicts if a scale is declared.

    `null` returns a measure's value under no effect, or None for that of its statistic. Without `scale_of`, the scale
    is that of the measure's statistic on the card.
    """
    own = partial(_card_scale, spec) if scale_of is None else scale_of
    scales = [own(one) for one in measures]
    labels = [family(one) if _is_tested(one, scale) else None for one, scale in zip(measures, scales, strict=True)]
    places = [at for at, label in enumerate(labels) if label is not None]
    members, scales = [measures[at] for at in places], [scales[at] for at in places]
    margins = [np.nan if scale is None else spec.margin(scale) for scale in scales]
    found = judge(
        Effects(
            estimate=np.array([_effect(spec, one, null(one)) for one in members], dtype=np.float64),
            p_value=_numbers([one.p_value for one in members]),
            equivalence_p=_numbers([one.equivalence_p for one in members]),
            least_p=_numbers([one.least_p for one in members], 0.0),
            smallest_effect=np.array(margins),
            # A statistic without a verdict gets its q-value for any number of units.
            n_units=np.array(
                [one.n_units if scale else FEWEST_UNITS for one, scale in zip(members, scales, strict=True)]
            ),
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
            verdict=found.verdict[at] if scales[at] else "",
        )
        for at, one in enumerate(members)
    )
    return [one if label is None else next(told) for one, label in zip(measures, labels, strict=True)]


def _is_tested(one: Measure, scale: Scale | None) -> bool:
    return one.value is not None and (one.p_value is not None or scale is not None)


def _card_scale(spec: AuditSpec, one: Measure) -> Scale | None:
    found = PROBES[spec.probe].card.statistic(one.statistic)
    return None if found is None else found.scale


def _effect(spec: AuditSpec, one: Measure, null: float | None) -> float:
    """Return the difference between the value and that of no effect."""
    found = PROBES[spec.probe].card.statistic(one.statistic)
    known = null if null is not None else found.null if found is not None else 0.0
    return (one.value or 0.0) - known


def _numbers(given: Sequence[float | None], missing: float = np.nan) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    return np.array([missing if one is None else one for one in given], dtype=np.float64)
