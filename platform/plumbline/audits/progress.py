"""The progress of a run, for the command line, pages and other processes. All times are the server's."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, Q, QuerySet, Sum

from plumbline.audits import presence
from plumbline.audits.clock import now
from plumbline.audits.models import Phase, Role, Run, Shard, WorkerProcess
from plumbline.audits.states import LIVE, Queue, WorkState
from plumbline.audits.waiting import waits_for

WINDOW = timedelta(seconds=60)
"""The period of the pace: the last minute, so that it follows workers that start and stop."""


@dataclass(frozen=True, slots=True)
class PhaseProgress:
    """The progress of one phase. `items` counts records. An unsharded phase has no items and one piece."""

    name: str
    state: str
    pieces_done: int
    pieces: int
    items_done: int
    items: int
    items_reused: int
    """The number of done items that came from earlier runs, without asking a model."""
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Progress:
    """The progress of a run.

    `pace` (items per second) and `seconds_left` are those of the present phase, None if unknown.
    """

    phases: list[PhaseProgress]
    items_done: int
    items: int | None
    pace: float | None
    seconds_left: float | None
    workers: list[WorkerProcess]
    """The workers that work on this run now."""
    alive: int
    """The number of living workers, including those with other work."""
    waits: str
    """The reason why no living worker takes the next work, or "". Always "" for inline runs."""
    waits_for: str
    """What the run waits for, including its turn, or "". Always "" for inline runs."""
    scheduler: bool

    @property
    def reused(self) -> int:
        return sum(phase.items_reused for phase in self.phases)

    @property
    def asked(self) -> int:
        return sum(phase.items_done for phase in self.phases) - self.reused


def progress(run: Run) -> Progress:
    """Read the progress in a few queries, whatever the size of the run."""
    counted = _counted(run)
    phases = [_phase(phase) for phase in counted]
    workers = list(presence.alive().filter(run=run))
    under_way = sum(worker.items for worker in workers)
    done = sum(phase.items_done for phase in phases)
    pace = _pace(run) if run.state in LIVE else None
    nobody = _why_nobody(run, counted)
    left = None if not pace or run.planned_items is None else max(0, run.planned_items - done - under_way) / pace
    return Progress(
        phases=phases,
        items_done=min(done + under_way, run.planned_items or 0),
        items=run.planned_items,
        pace=pace,
        seconds_left=left,
        workers=workers,
        alive=presence.alive().count(),
        waits=nobody,
        waits_for=waits_for(run, nobody),
        scheduler=presence.alive(Role.SCHEDULER).exists(),
    )


def _counted(run: Run) -> list[Phase]:
    done = Q(shards__state=WorkState.DONE)
    return list(
        run.phases.annotate(
            pieces=Count("shards"),
            pieces_done=Count("shards", filter=done),
            items=Sum("shards__size", default=0),
            items_done=Sum("shards__size", filter=done, default=0),
            items_reused=Sum("shards__rows_reused", filter=done, default=0),
            work_seconds=Sum("shards__seconds"),
        ).order_by("position")  # an aggregation drops the model's default order
    )


def _phase(phase: Phase) -> PhaseProgress:
    found = vars(phase)
    if not phase.sharded:
        done = int(phase.state == WorkState.DONE)
        return PhaseProgress(phase.name, phase.state, done, 1, 0, 0, 0, phase.seconds)
    return PhaseProgress(
        phase.name,
        phase.state,
        found["pieces_done"],
        found["pieces"],
        found["items_done"],
        found["items"],
        found["items_reused"],
        found["work_seconds"],
    )


def _why_nobody(run: Run, phases: Iterable[Phase]) -> str:
    phase = next((phase for phase in phases if phase.state != WorkState.DONE), None)
    if phase is None or run.owner or run.state not in LIVE:
        return ""
    asks_model = phase.queue == Queue.GPU
    return presence.why_no_worker(phase.queue, run.provenance.get("device", "") if asks_model else "")


def _pace(run: Run) -> float | None:
    """Return the items per second of shards executed lately, or None. Copied shards do not count."""
    moment = now()
    asked = Shard.objects.filter(run=run, state=WorkState.DONE, rows_reused__lt=F("size"))
    items = asked.filter(done_at__gt=moment - WINDOW).aggregate(items=Sum(F("size") - F("rows_reused")))["items"]
    if not items:
        return None
    begun = max(moment - WINDOW, _first_begun(asked, moment))
    return float(items) / max((moment - begun).total_seconds(), 1e-3)


def _first_begun(asked: QuerySet[Shard], moment: datetime) -> datetime:
    first = asked.filter(done_at__isnull=False).order_by("done_at").values_list("done_at", "seconds").first()
    return moment if first is None or first[0] is None else first[0] - timedelta(seconds=first[1] or 0)
