"""The life of a run. Each step is one UPDATE on the condition of the old state; who loses the race does nothing."""

from django.db import transaction
from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from plumbline.audits.models import Phase, Run, Shard
from plumbline.audits.states import LIVE, RESUMABLE, RunState, WorkState
from plumbline.spec.errors import InputError

# The state that a run takes in a phase, and the states that it may come from.
_STATES_OF_SHARDS = (RunState.RUNNING, RunState.PLANNING, RunState.QUEUED)
_STATES_OF_PHASE = {
    "planning": (RunState.PLANNING, RunState.QUEUED),
    "summary": (RunState.SUMMARISING, *_STATES_OF_SHARDS),
}


def _move(run_id: int, to: RunState, *old: RunState, **fields: object) -> bool:
    return bool(Run.objects.filter(pk=run_id, state__in=old).update(state=to, **fields))


def current_phase(run_id: int) -> Phase | None:
    """The first phase that is not done; None when all are."""
    return Phase.objects.filter(run_id=run_id).exclude(state=WorkState.DONE).order_by("position").first()


def begin(run_id: int, phase: Phase) -> bool:
    """A worker starts on a phase: the run's state follows. False when the run no longer lives, or is past the phase."""
    state, *before = _STATES_OF_PHASE.get(phase.name, _STATES_OF_SHARDS)
    Run.objects.filter(pk=run_id, started_at__isnull=True).update(started_at=timezone.now())
    return _move(run_id, state, state, *before)


def advance(run_id: int) -> None:
    """Close what is complete and open what follows. Safe to repeat, by any worker at any time."""
    undone = Shard.objects.filter(phase=OuterRef("pk")).exclude(state=WorkState.DONE)
    sharded = Phase.objects.filter(run_id=run_id, sharded=True, state=WorkState.READY)
    sharded.filter(~Exists(undone)).update(state=WorkState.DONE, done_at=timezone.now())
    phase = current_phase(run_id)
    if phase is None:
        _move(run_id, RunState.DONE, *LIVE, finished_at=timezone.now(), error="", traceback="", expected=False)
    elif phase.state == WorkState.WAITING:
        Phase.objects.filter(pk=phase.pk, state=WorkState.WAITING).update(state=WorkState.READY)
        if phase.sharded:
            _move(run_id, RunState.QUEUED, RunState.PLANNING)


@transaction.atomic
def fail(run_id: int, error: str, *, expected: bool, traceback: str = "") -> None:
    """The run ends in failure; done shards stay. `expected`: the input's fault, readable by its user."""
    ended = _move(
        run_id,
        RunState.FAILED,
        *LIVE,
        error=" ".join(error.split()),
        expected=expected,
        traceback=traceback,
        finished_at=timezone.now(),
    )
    if ended:
        _clear_leases(run_id)


@transaction.atomic
def cancel(run_id: int, why: str = "cancelled on request") -> bool:
    """Stop a living run: its state changes and all leases are void. False when it had ended already."""
    if not _move(run_id, RunState.CANCELLED, *LIVE, error=why, expected=True, finished_at=timezone.now()):
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
