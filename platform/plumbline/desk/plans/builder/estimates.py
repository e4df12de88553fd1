"""What a spec asks before its launch: the number of items, and the minutes by the pace of an earlier run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plumbline.audits.costs import cost_of
from plumbline.audits.estimated_time import size_of
from plumbline.audits.freezing import pin
from plumbline.audits.model_kinds import kind_of
from plumbline.desk.plans.builder.examples import Examples, examples_of
from plumbline.findings.sensitivity import Sensitivity, sensitivity_of
from plumbline.spec.audit import AuditSpec
from plumbline.spec.errors import InputError
from plumbline.spec.several_models import parse_each


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the page says before a launch. `fault` is why the spec cannot be launched, or ""."""

    fault: str = ""
    items: int | None = None
    models: int = 1
    time: str = ""
    guide: str = ""
    cost: str = ""
    sensitivity: Sensitivity | None = None
    examples: Examples | None = None


def estimate(data: Any) -> Estimate:
    """Return the estimate of valid plain data, with today's words."""
    try:
        specs = parse_each(data)
        pinned, snapshots = pin(specs[0])
    except InputError as error:
        return Estimate(fault=str(error))
    examples = examples_of(pinned, snapshots)
    try:
        pinned.check(snapshots)
        for spec in specs:
            pinned.check_kind(kind_of(spec.model), snapshots)
        return _estimate(specs, pinned, snapshots, examples)
    except InputError as error:
        return Estimate(fault=str(error), examples=examples.without(str(error)))


def _estimate(
    specs: list[AuditSpec], pinned: AuditSpec, snapshots: Mapping[str, Mapping[str, Any]], examples: Examples
) -> Estimate:
    size = size_of([pinned, *specs[1:]], snapshots)
    return Estimate(
        items=size.items,
        models=size.models,
        time=size.time,
        guide=size.guide,
        cost="; ".join(dict.fromkeys(filter(None, map(cost_of, specs)))),
        sensitivity=sensitivity_of(pinned, snapshots),
        examples=examples.with_cautions(pinned.cautions(snapshots)),
    )
