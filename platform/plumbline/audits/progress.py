"""The progress of a run, for the command line, pages and other processes. All times are the server's."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from plumbline.audits import presence
from plumbline.audits.models import Phase, Role, Run, WorkerProcess
from plumbline.audits.pace import items_at_hand, pace_of
from plumbline.audits.queue.waiting import waits_for
from plumbline.audits.states import LIVE, Queue, WorkState


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

    `pace` (items per second) and `seconds_left` are those of the present phase, None if unknown. Items whose whole
    shard an earlier run holds take no time, so `seconds_left` leaves them out.
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
    begun_again: int
    """The number of shards that were begun more than once, because their worker died or failed."""

    @property
    def reused(self) -> int:
        return sum(phase.items_reused for phase in self.phases)

    @property
    def stored(self) -> int:
        """The number of items whose answers are stored, asked or reused."""
        return sum(phase.items_done for phase in self.phases)

    @property
    def asked(self) -> int:
        return self.stored - self.reused

    @property
    def is_storing(self) -> bool:
        """Return whether each item is answered, and not all of them are stored yet."""
        return bool(self.items) and self.stored < self.items_done == self.items


def progress(run: Run) -> Progress:
    """Read the progress in a few queries, whatever the size of the run."""
    counted = _counted(run)
    phases = [_phase(phase) for phase in counted]
    workers = list(presence.alive().filter(run=run))
    under_way = sum(worker.items for worker in workers)
    done = sum(phase.items_done for phase in phases)
    pace = pace_of(run, counted, workers) if run.state in LIVE else None
    nobody = _why_nobody(run, counted)
    left = run.planned_items - done - under_way - items_at_hand(run) if pace and run.planned_items is not None else None
    return Progress(
        phases=phases,
        items_done=min(done + under_way, run.planned_items or 0),
        items=run.planned_items,
        pace=pace,
        seconds_left=max(0, left) / pace if pace and left is not None else None,
        workers=workers,
        alive=presence.alive().count(),
        waits=nobody,
        waits_for=waits_for(run, nobody),
        scheduler=presence.alive(Role.SCHEDULER).exists(),
        begun_again=sum(vars(phase)["begun_again"] for phase in counted),
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
            begun_again=Count("shards", filter=Q(shards__attempts__gt=1)),
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
