"""The life of a run. Each step is one UPDATE on the condition of the old state; who loses the race does nothing."""

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import Phase, Run, Shard
from plumbline.audits.states import LIVE, RESUMABLE, RunState, WorkState
from plumbline.spec.errors import InputError

# The state that a run takes in a phase, and the states that it may come from.
_STATES_OF_SHARDS = (RunState.RUNNING, RunState.PLANNING, RunState.QUEUED)
_STATES_OF_PHASE = {
    "planning": (RunState.PLANNING, RunState.QUEUED),
    "summary": (RunState.SUMMARISING, *_STATES_OF_SHARDS),
}


def _move(run_id: int, to: RunState, *old: RunState, of: str | None = None, **fields: object) -> bool:
    runs = Run.objects.filter(pk=run_id, state__in=old)
    return bool((runs if of is None else runs.filter(owner=of)).update(state=to, **fields))


def current_phase(run_id: int) -> Phase | None:
    """The first phase that is not done; None when all are."""
    return Phase.objects.filter(run_id=run_id).exclude(state=WorkState.DONE).order_by("position").first()


def begin(run_id: int, phase: Phase) -> bool:
    """A worker starts on a phase: the run's state follows. False when the run no longer lives, or is past the phase."""
    state, *before = _STATES_OF_PHASE.get(phase.name, _STATES_OF_SHARDS)
    moved = _move(run_id, state, state, *before)
    if moved:
        Run.objects.filter(pk=run_id, started_at__isnull=True).update(started_at=ClockTimestamp())
    return moved


def advance(run_id: int) -> None:
    """Close what is complete and open what follows. Safe to repeat, by any worker at any time."""
    undone = Shard.objects.filter(phase=OuterRef("pk")).exclude(state=WorkState.DONE)
    sharded = Phase.objects.filter(run_id=run_id, sharded=True, state=WorkState.READY)
    sharded.filter(~Exists(undone)).update(state=WorkState.DONE, done_at=ClockTimestamp())
    phase = current_phase(run_id)
    if phase is None:
        _move(run_id, RunState.DONE, *LIVE, finished_at=ClockTimestamp(), error="", traceback="", expected=False)
    elif phase.state == WorkState.WAITING:
        Phase.objects.filter(pk=phase.pk, state=WorkState.WAITING).update(state=WorkState.READY)
        if phase.sharded:
            _move(run_id, RunState.QUEUED, RunState.PLANNING)


@transaction.atomic
def fail(run_id: int, error: str, *, expected: bool, traceback: str = "", of: str | None = None) -> None:
    """The run ends in failure; done shards stay. `expected`: the input's fault, readable by its user.

    `of`: only while it is the run of this process; another may have taken it over.
    """
    ended = _move(
        run_id,
        RunState.FAILED,
        *LIVE,
        of=of,
        error=" ".join(error.split()),
        expected=expected,
        traceback=traceback,
        finished_at=ClockTimestamp(),
    )
    if ended:
        _clear_leases(run_id)


@transaction.atomic
def cancel(run_id: int, why: str = "cancelled on request", of: str | None = None) -> bool:
    """Stop a living run: its state changes, all leases are void. False when it had ended already, or is not `of`'s."""
    if not _move(run_id, RunState.CANCELLED, *LIVE, of=of, error=why, expected=True, finished_at=ClockTimestamp()):
        return False
    _clear_leases(run_id)
    return True


@transaction.atomic
def take_over(run_id: int, gone: str, owner: str) -> bool:
    """The living run of a process that is gone becomes another's. False when somebody else was quicker."""
    if not _move(run_id, RunState.QUEUED, *LIVE, of=gone, owner=owner):
        return False
    _clear_leases(run_id)
    return True


@transaction.atomic
def resume(run_id: int, owner: str = "") -> None:
    """A failed or cancelled run goes on with what is not done. InputError when it is in another state."""
    moved = _move(
        run_id,
        RunState.QUEUED,
        *RESUMABLE,
        owner=owner,
        error="",
        traceback="",
        expected=False,
        finished_at=None,
    )
    if not moved:
        run = Run.objects.get(pk=run_id)
        raise InputError(f"run {run_id} is {run.state}; only a failed or cancelled run can be resumed.")
    for work in (Phase, Shard):
        work._default_manager.filter(run_id=run_id).exclude(state=WorkState.DONE).update(attempts=0)


def _clear_leases(run_id: int) -> None:
    undone = ~Q(state=WorkState.DONE)
    for work in (Phase, Shard):
        work._default_manager.filter(undone, run_id=run_id).update(token=None, leased_by="", lease_until=None)
