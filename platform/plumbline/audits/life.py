"""The life of a run. Each step is one UPDATE on the condition of the old state; who loses the race does nothing."""

from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from plumbline.audits import hints, leases
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import MOST_ATTEMPTS, Phase, Run, Shard
from plumbline.audits.ownership import is_gone
from plumbline.audits.states import LIVE, RESUMABLE, Priority, RunState, WorkState
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError

# The state that a run takes in a phase, and the states that it may come from.
_STATES_OF_SHARDS = (RunState.RUNNING, RunState.PLANNING, RunState.QUEUED)
_STATES_OF_PHASE = {
    "planning": (RunState.PLANNING, RunState.QUEUED),
    "summary": (RunState.SUMMARISING, *_STATES_OF_SHARDS),
    "comparison": (RunState.SUMMARISING, *_STATES_OF_SHARDS),
}


def _move(run_id: int, to: RunState, *old: RunState, of: str | None = None, **fields: object) -> bool:
    runs = Run.objects.filter(pk=run_id, state__in=old)
    return bool((runs if of is None else runs.filter(owner=of)).update(state=to, **fields))


def find(run_id: int) -> Run:
    """InputError when there is no such run."""
    run = Run.objects.filter(pk=run_id).first()
    if run is None:
        raise InputError(f"there is no run {run_id}: 'audit list' shows the runs.")
    return run


def lock(run_id: int) -> None:
    """Who changes a run and its work in one transaction takes the run first, so that no two wait for one another."""
    Run.objects.select_for_update(no_key=True, of=("self",)).filter(pk=run_id).first()


def current_phase(run_id: int) -> Phase | None:
    """The first phase that is not done, with its run; None when all are."""
    return _undone_phases(run_id).select_related("run").first()


def _undone_phases(run_id: int) -> QuerySet[Phase]:
    return Phase.objects.filter(run_id=run_id).exclude(state=WorkState.DONE).order_by("position")


def begin(phase: Phase) -> bool:
    """A worker starts on a phase: the run's state follows. False when the run no longer lives, or is past the phase."""
    state, *before = _STATES_OF_PHASE.get(phase.name, _STATES_OF_SHARDS)
    if phase.run.state == state and phase.run.started_at:
        return True
    moved = _move(phase.run_id, state, state, *before)
    if moved:
        Run.objects.filter(pk=phase.run_id, started_at__isnull=True).update(started_at=ClockTimestamp())
    return moved


def advance(run_id: int) -> bool:
    """Close what is complete and open what follows; whether work was opened by this very call.

    Safe to repeat, by any worker at any time. While shards of a phase are left, it is one query.
    """
    undone = Exists(Shard.objects.filter(phase=OuterRef("pk")).exclude(state=WorkState.DONE))
    while (phase := _undone_phases(run_id).annotate(undone=undone).first()) and _is_complete(phase):
        complete = Phase.objects.filter(~undone, pk=phase.pk, state=WorkState.READY)
        complete.update(state=WorkState.DONE, done_at=ClockTimestamp())
    if phase is None:
        _move(run_id, RunState.DONE, *LIVE, finished_at=ClockTimestamp(), error="", traceback="", expected=False)
    elif phase.state == WorkState.WAITING:
        opened = Phase.objects.filter(pk=phase.pk, state=WorkState.WAITING).update(state=WorkState.READY)
        if phase.sharded:
            _move(run_id, RunState.QUEUED, RunState.PLANNING)
        return bool(opened)
    return False


def count_items(run_id: int) -> None:
    """A run's size is that of its shards, some of which tell their own only when they are done.

    After their transaction: in it, it would hold the shard while it waits for the run.
    """
    total = Shard.objects.filter(run=run_id).order_by().values("run").annotate(rows=Sum("size")).values("rows")
    Run.objects.filter(pk=run_id).update(planned_items=Coalesce(Subquery(total), 0))


def _is_complete(phase: Any) -> bool:
    return bool(phase.sharded and phase.state == WorkState.READY and not phase.undone)


@transaction.atomic
def fail(run_id: int, error: str, *, expected: bool, traceback: str = "", of: str | None = None) -> bool:
    """The run ends in failure; done shards stay. `expected`: the input's fault, readable by its user.

    `of`: only while it is the run of this process; another may have taken it over. False when it did not end here.
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
    return ended


@transaction.atomic
def end_if_worn_out(run_id: int, of: str | None = None) -> str:
    """Work that was begun again and again and never ended would kill every worker: it ends the run. What it was."""
    lock(run_id)
    phase = current_phase(run_id)
    worn_out = leases.worn_out(phase) if phase else ""
    if worn_out:
        why = (
            f"{worn_out} was begun {MOST_ATTEMPTS} times and never ended: its workers were killed, most likely for"
            f" their memory; see their logs, then 'audit resume {run_id}'"
        )
        fail(run_id, why, expected=False, of=of)
    return worn_out


@transaction.atomic
def cancel(run_id: int, why: str = "cancelled on request", of: str | None = None) -> bool:
    """Stop a living run: its state changes, all leases are void. False when it had ended already, or is not `of`'s."""
    if not _move(run_id, RunState.CANCELLED, *LIVE, of=of, error=why, expected=True, finished_at=ClockTimestamp()):
        return False
    _clear_leases(run_id)
    return True


def take_up(run_id: int, owner: str = "") -> None:
    """A failed, cancelled or abandoned run goes on, in the process `owner` or with the workers.

    InputError for a run that is not there, lives, or is done.
    """
    run = find(run_id)
    abandoned = run.state in LIVE and run.owner and is_gone(run.owner)
    if not (abandoned and take_over(run_id, run.owner, owner)):
        resume(run_id, owner)


@transaction.atomic
def take_over(run_id: int, gone: str, owner: str) -> bool:
    """The living run of a process that is gone becomes another's. False when somebody else was quicker."""
    if not _move(run_id, RunState.QUEUED, *LIVE, of=gone, owner=owner):
        return False
    _free_again(run_id, owner)
    return True


@transaction.atomic
def resume(run_id: int, owner: str = "") -> None:
    """A failed or cancelled run goes on with what is not done. InputError when it is in another state."""
    moved = _move(
        run_id,
        RunState.QUEUED,
        *RESUMABLE,
        owner=owner,
        # Somebody waits for it now, whoever launched it.
        priority=Priority.INTERACTIVE,
        error="",
        traceback="",
        expected=False,
        finished_at=None,
    )
    if not moved:
        run = Run.objects.get(pk=run_id)
        raise InputError(f"run {run_id} is {run.state}; only a failed or cancelled run can be resumed.")
    _free_again(run_id, owner)


@transaction.atomic
def summarise_again(run_id: int) -> None:
    """A finished run is summarised by today's rules; no model is asked, and its earlier measures are kept.

    InputError for a run that is not done, or whose spec is no longer valid.
    """
    run = find(run_id)
    parse(run.spec)
    if not _move(run_id, RunState.QUEUED, RunState.DONE, owner="", priority=Priority.INTERACTIVE, finished_at=None):
        raise InputError(f"run {run_id} is {run.state}; only a finished run can be summarised again.")
    Phase.objects.filter(run_id=run_id, name="summary").update(state=WorkState.READY, done_at=None)
    Phase.objects.filter(run_id=run_id, name="comparison").update(state=WorkState.WAITING, done_at=None)
    _free_again(run_id, "")


def _free_again(run_id: int, owner: str) -> None:
    _clear_leases(run_id, attempts=0)
    if not owner:
        hints.wake_later()


def _clear_leases(run_id: int, **changes: int) -> None:
    """Void every lease, past rows that are being written: a worker frozen in its transaction must hold nobody up."""
    for work in (Phase, Shard):
        undone: QuerySet[Any] = work._default_manager.filter(run_id=run_id).exclude(state=WorkState.DONE)
        unlocked = undone.select_for_update(skip_locked=True, of=("self",)).values("pk")
        undone.filter(pk__in=unlocked).update(token=None, leased_by="", lease_until=None, **changes)
