"""The progress of a run, for the command line, pages and other processes. All times are the server's."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count, F, Q, Sum

from plumbline.audits import presence
from plumbline.audits.models import Phase, Role, Run, Shard, WorkerProcess
from plumbline.audits.queue.waiting import waits_for
from plumbline.audits.states import LIVE, Queue, WorkState

LATEST = 20
"""The number of done shards on which the pace rests, so that it follows a change of speed."""

SOUND_SECONDS = 5.0
"""The seconds of counted work from which a worker's items give a rate before its first shard ends."""


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
    begun_again: int
    """The number of shards that were begun more than once, because their worker died or failed."""

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
    pace = _pace(run, counted, workers) if run.state in LIVE else None
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


def _pace(run: Run, phases: Sequence[Phase], workers: Sequence[WorkerProcess]) -> float | None:
    """Return the items per second at which the present workers ask the model, or None while nobody does.

    The rate of one worker is that of the phase's latest shards, over the seconds that workers spent on them. So it does
    not fall while a long shard is under way. Before the first one ends, the work under way gives the rate. Copied
    shards do not count.
    """
    phase = next((phase for phase in phases if phase.sharded and phase.state != WorkState.DONE), None)
    if phase is None or not (workers or run.owner):
        return None
    parts = _ended(phase) or _under_way(workers)
    seconds = sum(part[1] for part in parts)
    return sum(part[0] for part in parts) / seconds * max(len(workers), 1) if seconds else None


def _ended(phase: Phase) -> list[tuple[float, float]]:
    """Return items and seconds of the phase's latest shards that asked the model."""
    asked = Shard.objects.filter(phase=phase, state=WorkState.DONE, rows_reused__lt=F("size"), seconds__gt=0)
    rows = asked.order_by("-done_at").values_list("size", "rows_reused", "seconds")[:LATEST]
    return [(float(size - reused), float(seconds or 0)) for size, reused, seconds in rows]


def _under_way(workers: Sequence[WorkerProcess]) -> list[tuple[float, float]]:
    """Return items and seconds of what each worker does, as far as it counted long enough."""
    return [(float(one.counted_items), one.counted_seconds) for one in workers if one.counted_seconds >= SOUND_SECONDS]
