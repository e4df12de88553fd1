"""The items per second of a run, and the open items that take no time."""

from collections.abc import Sequence

from django.db.models import Exists, F, OuterRef, Sum

from plumbline.audits.models import Phase, Run, Shard, WorkerProcess
from plumbline.audits.states import WorkState

LATEST = 20
"""The number of done shards on which the pace rests, so that it follows a change of speed."""

SOUND_SECONDS = 5.0
"""The seconds of counted work from which a worker's items give a rate before its first shard ends."""


def items_at_hand(run: Run) -> int:
    """Return the number of open items whose whole shard is copied from an earlier run, by its content key."""
    if not run.reuse:
        return 0
    same = Shard.objects.filter(key=OuterRef("key"), state=WorkState.DONE).exclude(run=run)
    open_shards = run.shards.exclude(state=WorkState.DONE)
    return int(open_shards.filter(Exists(same)).aggregate(items=Sum("size", default=0))["items"])


def pace_of(run: Run, phases: Sequence[Phase], workers: Sequence[WorkerProcess]) -> float | None:
    """Return the items per second at which the present workers do shards, or None while nobody asks the model.

    The rate of one worker is that of the phase's latest shards, over the seconds that workers spent on them. So it does
    not fall while a long shard is under way. Shards that were copied as a whole do not count. Before the first one
    ends, the work under way gives the rate, unless the run may copy a part of it.
    """
    phase = next((phase for phase in phases if phase.sharded and phase.state != WorkState.DONE), None)
    if phase is None or not (workers or run.owner):
        return None
    parts = _ended(phase) or ([] if _may_copy(run) else _under_way(workers))
    seconds = sum(part[1] for part in parts)
    return sum(part[0] for part in parts) / seconds * max(len(workers), 1) if seconds else None


def _may_copy(run: Run) -> bool:
    """Return whether an earlier run may hold answers of this one: the same method asked the same model."""
    earlier = Run.objects.filter(probe=run.probe, model=run.model, pk__lt=run.pk, shards__state=WorkState.DONE)
    return run.reuse and earlier.exists()


def _ended(phase: Phase) -> list[tuple[float, float]]:
    """Return items and seconds of the phase's latest shards that asked the model for at least one item.

    Their copied items count too: the next shards of such a run probably copy as many.
    """
    asked = Shard.objects.filter(phase=phase, state=WorkState.DONE, rows_reused__lt=F("size"), seconds__gt=0)
    rows = asked.order_by("-done_at").values_list("size", "seconds")[:LATEST]
    return [(float(size), float(seconds or 0)) for size, seconds in rows]


def _under_way(workers: Sequence[WorkerProcess]) -> list[tuple[float, float]]:
    """Return items and seconds of what each worker does, as far as it counted long enough."""
    return [(float(one.counted_items), one.counted_seconds) for one in workers if one.counted_seconds >= SOUND_SECONDS]
