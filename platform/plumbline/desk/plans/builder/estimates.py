"""What a spec asks before its launch: the number of items, and the minutes by the pace of an earlier run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import F, Q, Sum

from plumbline.audits.costs import cost_of
from plumbline.audits.freezing import pin
from plumbline.audits.models import Run, Shard
from plumbline.audits.states import RunState, WorkState
from plumbline.desk.plans.builder.examples import Examples, examples_of
from plumbline.findings.sensitivity import Sensitivity, sensitivity_of
from plumbline.spec.audit import AuditSpec
from plumbline.spec.errors import InputError
from plumbline.spec.numbers import duration
from plumbline.spec.several_models import parse_each


@dataclass(frozen=True, slots=True)
class Estimate:
    """What the page says before a launch. `fault` is why the spec cannot be launched, or ""."""

    fault: str = ""
    items: int | None = None
    models: int = 1
    time: str = ""
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
        return _estimate(specs, pinned, snapshots, examples)
    except InputError as error:
        return Estimate(fault=str(error), examples=examples)


def _estimate(
    specs: list[AuditSpec], pinned: AuditSpec, snapshots: Mapping[str, Mapping[str, Any]], examples: Examples
) -> Estimate:
    items = pinned.item_count(snapshots)
    return Estimate(
        items=items,
        models=len(specs),
        time=_time(pinned, items),
        cost="; ".join(dict.fromkeys(filter(None, map(cost_of, specs)))),
        sensitivity=sensitivity_of(pinned, snapshots),
        examples=examples,
    )


def _time(spec: AuditSpec, items: int | None) -> str:
    """Return how long one worker takes, by the latest finished run of this method on this model; "" if unknown.

    Runs whose model wrote its answers, and runs that scored options, say nothing of each other.
    """
    runs = Run.objects.filter(probe=spec.probe, model=spec.model, state=RunState.DONE).order_by("-pk")
    writes = Q(spec__params__generate=True)
    generates = getattr(getattr(spec, "params", None), "generate", False)
    run = (runs.filter(writes) if generates else runs.exclude(writes)).first()
    if run is None or items is None:
        return ""
    asked = Shard.objects.filter(phase__run=run, state=WorkState.DONE, seconds__gt=0)
    found = asked.aggregate(rows=Sum(F("size") - F("rows_reused")), took=Sum("seconds"))
    if not found["rows"] or not found["took"]:
        return ""
    return f"about {duration(items * found['took'] / found['rows'])} for one worker, at the pace of run {run.pk}"
