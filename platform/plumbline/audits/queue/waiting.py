"""What a live run waits for, as a sentence: workers, a lease of a dead worker, its model, or the runs before it."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db.models import Count, F, Max, Value

from plumbline.audits import leases, presence
from plumbline.audits.batches import waits_for_batches
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import Leased, Phase, Run, Shard, WorkerProcess
from plumbline.audits.queue.queue_order import queue
from plumbline.audits.states import LIVE, WorkState
from plumbline.spec.numbers import duration

MOST_NAMED = 3
SILENT = (
    f"no worker has shown a heartbeat for {presence.EXPECTED.seconds} seconds; after"
    f" {presence.BELIEVED.seconds} seconds without one a worker counts as dead"
)


def waits_for(run: Run, no_worker: str = "") -> str:
    """Return what a run waits for, or "" if it is being executed or has ended.

    `no_worker` is the reason why no living worker could take its next work, as presence.why_no_worker gives it.
    """
    if run.state not in LIVE or run.owner:
        return ""
    if batches := waits_for_batches(run):
        return batches
    working = list(presence.alive().filter(run=run))
    if working:
        return _loading(working)
    return _held(run) or no_worker or _in_queue(run)


def _loading(working: Sequence[WorkerProcess]) -> str:
    """Return that all workers of a run still load its model, or ""."""
    if all(one.doing.endswith(presence.LOADING) for one in working):
        return f"for its model, which {working[0].name} is loading"
    return ""


def _held(run: Run) -> str:
    """Return that a worker without a heartbeat holds all the work that is ready, and until when, or ""."""
    held, free = _leases(run)
    if free or not held:
        return ""
    alive = set(presence.alive().values_list("name", flat=True))
    dead = [row for row in held if row.leased_by not in alive]
    if not dead:
        return "for the worker that has just taken its work"
    first = min(dead, key=lambda row: vars(row)["left"])
    left: timedelta = vars(first)["left"]
    what = f"shard {first.number}" if isinstance(first, Shard) else first.name  # type: ignore[attr-defined]
    return (
        f"until the lease of {what} ends, in {duration(max(0.0, left.total_seconds()))} at most: {first.leased_by}"
        " holds it and shows no heartbeat"
    )


def _leases(run: Run) -> tuple[list[Leased], bool]:
    """Return the leased work of a run, and whether other work of it is free."""
    held: list[Leased] = []
    free = False
    phases = Phase.objects.filter(run=run, sharded=False)
    rows: Any
    for rows in (phases, Shard.objects.filter(run=run, phase__state=WorkState.READY).defer("items")):
        ready = rows.filter(state=WorkState.READY)
        leased = ready.filter(leases.held())
        held += leased.annotate(left=F("lease_until") - ClockTimestamp())
        free |= ready.exclude(pk__in=leased.values("pk")).exists()
    return held, free


def _in_queue(run: Run) -> str:
    """Return the position of a run, the runs before it, and with what the workers are busy."""
    waiting = [one.pk for one in queue()]
    if run.pk not in waiting:
        return "for the scheduler to open its next phase"
    place = waiting.index(run.pk)
    position = f"position {place + 1} of {len(waiting)}" + (f", after {_runs(waiting[:place])}" if place else "")
    return f"for its turn: {position}; {_busy()}"


def _busy() -> str:
    runs = sorted(set(presence.alive().filter(run__isnull=False).values_list("run_id", flat=True)))
    if presence.are_silent():
        return SILENT
    if not runs:
        return _idle()
    return f"the workers are busy with {_runs(runs)} until their turn ends"


def _idle() -> str:
    """Return how many workers show no work, and how old their latest sign of life is."""
    recent = presence.alive().filter(seen_at__gte=ClockTimestamp() - Value(presence.EXPECTED))
    found = recent.aggregate(workers=Count("pk"), age=ClockTimestamp() - Max("seen_at"))
    free = "worker is free; its" if found["workers"] == 1 else "workers are free; their"
    age = duration(max(0.0, found["age"].total_seconds())) if found["age"] is not None else ""
    return f"{found['workers']} {free} latest sign of life came {age} ago" if age else SILENT


def _runs(numbers: Sequence[int]) -> str:
    """Return numbers of runs as text: `run 3`, `runs 3, 4 and 5`, `runs 3, 4, 5 and 8 more`."""
    named = [str(number) for number in numbers[:MOST_NAMED]]
    if more := len(numbers) - len(named):
        named.append(f"{more} more")
    if len(named) == 1:
        return f"run {named[0]}"
    return f"runs {', '.join(named[:-1])} and {named[-1]}"


def positions() -> dict[int, int]:
    """Return the position in the queue of each run that no worker executes now, from 1."""
    working = set(presence.alive().filter(run__isnull=False).values_list("run_id", flat=True))
    return {run.pk: number for number, run in enumerate(queue(), 1) if run.pk not in working}
