"""How long a spec takes before its launch, by the pace of an earlier run, and whether that is long."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import log
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, Sum

from plumbline.audits.freezing import pin
from plumbline.audits.model_kinds import kind_of, models_of_kind
from plumbline.audits.models import Phase, Run, Shard
from plumbline.audits.states import RunState, WorkState
from plumbline.spec.audit import AuditSpec
from plumbline.spec.numbers import duration

LONG_SECONDS = 3600.0
MANY_ITEMS = 20_000
"""The number of items from which a launch without a known pace counts as long."""
MOST_LOADING = 60.0
"""The most seconds of a finished run that count as the loading of its model."""
LATEST = 10
"""The number of finished runs among which the one nearest in size gives the pace."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The pace of a finished run, in items per second of one worker."""

    run: int
    model: str
    rate: float


@dataclass(frozen=True, slots=True)
class Size:
    """The items of one run. `seconds` is the time of one worker by the pace of `run`, None if it is unknown.

    It counts the planning and the summary as `run` took for them: a small run spends most of its time there.
    """

    items: int | None
    models: int = 1
    seconds: float | None = None
    run: int | None = None
    guide: str = ""
    """The time by the pace of a model of the same kind, as a part of a sentence, if that of this model is unknown."""

    @property
    def time(self) -> str:
        """Return how long one worker takes for one model, or ""."""
        if self.seconds is None:
            return ""
        return f"about {duration(self.seconds)} for one worker, at the pace of run {self.run}"

    @property
    def is_long(self) -> bool:
        """Return whether a person must see the size before the launch."""
        if self.seconds is None:
            return self.models * (self.items or 0) > MANY_ITEMS
        return self.models * self.seconds > LONG_SECONDS

    @property
    def sentence(self) -> str:
        """Return the size in one or two sentences, or "" if the number of items is unknown."""
        if self.items is None:
            return ""
        each = f" for each of {self.models} models" if self.models > 1 else ""
        guide = f" A rough guide: {self.guide}." if self.guide else ""
        return f"{self.items:,} items{each}, {self.time or 'for an unknown time'}.{guide}"


def planned_size(specs: Sequence[AuditSpec]) -> Size:
    """Return the size of a plan of one spec for each model, with today's words. Raises InputError like a launch."""
    pinned, snapshots = pin(specs[0])
    return size_of([pinned, *specs[1:]], snapshots)


def size_of(specs: Sequence[AuditSpec], snapshots: Mapping[str, Mapping[str, Any]]) -> Size:
    """Return the size of a plan: `specs` has one spec for each model, the first with its lists in `snapshots`."""
    first = specs[0]
    items = first.item_count(snapshots)
    if items is None:
        return Size(items, len(specs))
    if found := _pace_of_alike(first, {first.model}, items):
        return Size(items, len(specs), _seconds(items, found), found.run)
    return Size(items, len(specs), guide=_guide(first, items))


def _guide(spec: AuditSpec, items: int) -> str:
    """Return the time by the latest run of this method on a model of the same kind, or ""."""
    kind = kind_of(spec.model)
    found = _pace_of_alike(spec, models_of_kind(kind), items) if kind else None
    if found is None:
        return ""
    took = duration(_seconds(items, found))
    pace = f"at the pace of run {found.run} on {found.model}, a model of the same kind"
    return f"about {took} for one worker, {pace}; on a busy machine it may take several times as long"


def _seconds(items: int, pace: Pace) -> float:
    return items / pace.rate + _around_the_shards(pace.run)


def _around_the_shards(run: int) -> float:
    """Return the seconds that a run took beside its shards: planning and summary, and the loading of its model.

    What is not planning or summary counts for at most MOST_LOADING, since a run may also have waited for a worker.
    """
    phases = Phase.objects.filter(run=run, sharded=False)
    phases_took = float(phases.aggregate(took=Sum("seconds", default=0.0))["took"])
    found = Run.objects.only("started_at", "finished_at").get(pk=run)
    if found.started_at is None or found.finished_at is None:
        return phases_took
    took = (found.finished_at - found.started_at).total_seconds()
    in_shards = Shard.objects.filter(run=run).aggregate(took=Sum("seconds", default=0.0))["took"]
    return phases_took + min(max(0.0, took - float(in_shards) - phases_took), MOST_LOADING)


def _pace_of_alike(spec: AuditSpec, models: Collection[str], items: int) -> Pace | None:
    """Return the pace of a finished run of this method on one of the models that asked it alike.

    Of the latest runs it is the one nearest in size, since a small run also pays for what every run does once. Runs
    whose model wrote its answers, and runs that scored options, say nothing of each other. A run that took all answers
    from earlier runs has no pace.
    """
    asked = Shard.objects.filter(state=WorkState.DONE, seconds__gt=0, rows_reused__lt=F("size"))
    alike = Run.objects.filter(_asked_alike(spec), probe=spec.probe, model__in=models, state=RunState.DONE)
    latest = alike.filter(Exists(asked.filter(run=OuterRef("pk")))).order_by("-pk").values_list("pk", "model")[:LATEST]
    sums = asked.filter(run__in=[run for run, _ in latest]).values("run").order_by("run")
    counted = sums.annotate(rows=Sum(F("size") - F("rows_reused")), took=Sum("seconds"))
    found = {one["run"]: (one["rows"], one["took"]) for one in counted}
    if not found:
        return None
    run, model = min(latest, key=lambda one: abs(log(found[one[0]][0] / max(1, items))))
    rows, took = found[run]
    return Pace(run, model, rows / took)


def _asked_alike(spec: AuditSpec) -> Q:
    """Return the condition that the run wrote answers if the spec does. Most specs have no such param at all."""
    writes = Q(spec__contains={"params": {"generate": True}})
    return writes if getattr(getattr(spec, "params", None), "generate", False) else ~writes
