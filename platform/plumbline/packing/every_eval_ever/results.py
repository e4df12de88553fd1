"""The figures of a run as evaluation results."""

import math
from typing import Any

from plumbline.audits.freezing import stored_lists
from plumbline.packing.hub.eval_results import task_id
from plumbline.packing.hub.figures import Figures, name_of, subject
from plumbline.spec.card import Statistic
from plumbline.spec.measure import Measure

DIRECTION = (
    "Neither a higher nor a lower value is better. The schema demands lower_is_better, so its value here means nothing."
)
BOUNDS: dict[str, tuple[float | str, float | str]] = {"fraction": (0.0, 1.0), "correlation": (-1.0, 1.0)}
"""Least and greatest value by unit. Others have no bounds, which the schema writes as infinities."""
UNBOUNDED = ("-Infinity", "Infinity")


def result(figures: Figures, one: Measure) -> dict[str, Any]:
    """Return a defined figure with its interval, n, q-value and verdict."""
    statistic = figures.card.own(figures.statistic(one))
    return {
        "evaluation_result_id": task_id(one),
        "evaluation_name": f"plumbline.{figures.run.probe}.{one.statistic}",
        "source_data": _source(figures),
        "metric_config": _metric(statistic, one),
        "score_details": {"score": one.value, "details": _details(one), "uncertainty": _uncertainty(figures, one)},
    }


def is_defined(one: Measure) -> bool:
    """Return whether the figure is a number of JSON, which has no infinity."""
    return one.value is not None and math.isfinite(one.value)


def _source(figures: Figures) -> dict[str, Any]:
    lists = {source["list"]: source["sha256"] for _, source in stored_lists(figures.run.spec)}
    details = {f"digest of {name}": sha256 for name, sha256 in lists.items()}
    return {
        "dataset_name": ", ".join(lists) or figures.run.name,
        "source_type": "other",
        "additional_details": {"name of the run": figures.run.name, **details},
    }


def _metric(statistic: Statistic, one: Measure) -> dict[str, Any]:
    least, greatest = _bounds(statistic, one)
    return {
        "evaluation_description": statistic.sentence,
        "metric_id": f"plumbline.{statistic.name}",
        "metric_name": name_of(statistic),
        "metric_kind": statistic.name,
        "metric_unit": statistic.unit,
        "lower_is_better": False,
        "score_type": "continuous",
        "min_score": least,
        "max_score": greatest,
        "additional_details": {
            "direction": DIRECTION,
            "caveat": statistic.caveat,
            "equation": statistic.equation,
            "source": statistic.source,
        },
    }


def _bounds(statistic: Statistic, one: Measure) -> tuple[float | str, float | str]:
    """Return the bounds of the unit, or none for a value beyond them, such as a difference of fractions."""
    least, greatest = BOUNDS.get(statistic.unit, UNBOUNDED)
    inside = isinstance(least, str) or float(least) <= (one.value or 0.0) <= float(greatest)
    return (least, greatest) if inside and not one.group_b else UNBOUNDED


def _details(one: Measure) -> dict[str, str]:
    stored = {
        "of": subject(one) or "the whole run",
        "verdict": one.verdict,
        "q_value": one.q_value,
        "p_value": one.p_value,
        "smallest_effect": one.smallest_effect,
        "unit_of_generalisation": one.unit,
        "n_units": one.n_units,
        "not_significant_when_held_equal": one.confounds,
    }
    return {name: str(value) for name, value in stored.items() if value not in (None, "")}


def _uncertainty(figures: Figures, one: Measure) -> dict[str, Any]:
    found: dict[str, Any] = {"num_samples": one.n}
    limits = (one.ci_low, one.ci_high)
    if all(limit is not None and math.isfinite(limit) for limit in limits):
        level = figures.run.spec.get("params", {}).get("level", 0.95)
        method = "see docs/methods.md of Plumbline"
        found["confidence_interval"] = {
            "lower": one.ci_low,
            "upper": one.ci_high,
            "confidence_level": level,
            "method": method,
        }
    return found
