"""The life cycle of a run. Each step is one UPDATE that requires the old state. Whoever loses the race does nothing."""

from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from plumbline.audits import leases, worker_messages
from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import MOST_ATTEMPTS, Phase, Run, Shard
from plumbline.audits.ownership import is_gone
from plumbline.audits.states import LIVE, RESUMABLE, Priority, RunState, WorkState
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError

# The state of a run during each phase, and the states that it may come from.
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
    """Return the run. Raises InputError if it does not exist."""
    run = Run.objects.filter(pk=run_id).first()
    if run is None:
        raise InputError(f"there is no run {run_id}: 'audit list' shows the runs.")
    return run


def lock(run_id: int) -> bool:
    """Lock the run until the transaction ends; return whether it still exists.

    Transactions that change a run and its work lock the run first, which avoids deadlocks.
    """
    return Run.objects.select_for_update(no_key=True, of=("self",)).filter(pk=run_id).first() is not None


def current_phase(run_id: int) -> Phase | None:
    """Return the first phase that is not done, with its run, or None."""
    return _undone_phases(run_id).select_related("run").first()


def _undone_phases(run_id: int) -> QuerySet[Phase]:
    return Phase.objects.filter(run_id=run_id).exclude(state=WorkState.DONE).order_by("position")


def begin(phase: Phase) -> bool:
    """Move the run to the state of the phase that a worker starts. False if the run has ended or passed the phase."""
    state, *before = _STATES_OF_PHASE.get(phase.name, _STATES_OF_SHARDS)
    if phase.run.state == state and phase.run.started_at:
        return True
    moved = _move(phase.run_id, state, state, *before)
    if moved:
        Run.objects.filter(pk=phase.run_id, started_at__isnull=True).update(started_at=ClockTimestamp())
    return moved


def advance(run_id: int) -> bool:
    """Close complete phases and open the next one. Returns whether this call opened work.

    Any worker may repeat it at any time. While shards of a phase remain, it is one query.
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
    """Set the run's number of planned items to the sum over its shards. Some sizes are known only when shards are done.

    Call it after the shards' transaction: within it, the shard would stay locked while waiting for the run.
    """
    total = Shard.objects.filter(run=run_id).order_by().values("run").annotate(rows=Sum("size")).values("rows")
    Run.objects.filter(pk=run_id).update(planned_items=Coalesce(Subquery(total), 0))


def _is_complete(phase: Any) -> bool:
    return bool(phase.sharded and phase.state == WorkState.READY and not phase.undone)


@transaction.atomic
def fail(run_id: int, error: str, *, expected: bool, traceback: str = "", of: str | None = None) -> bool:
    """End the run as failed. Done shards stay. `expected` marks an error in the input that its user can understand.

    `of` restricts this to a run of that process, since another may have taken it over. Returns False if nothing ended.
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
def end_if_exhausted(run_id: int, of: str | None = None) -> str:
    """End the run if its work used up all attempts, so that it kills no more workers. Returns that work, or ""."""
    lock(run_id)
    phase = current_phase(run_id)
    exhausted_work = leases.exhausted_work(phase) if phase else ""
    if exhausted_work:
        why = (
            f"{exhausted_work} was begun {MOST_ATTEMPTS} times and never ended: its workers were killed, most likely"
            f" for their memory; see their logs, then 'audit resume {run_id}'"
        )
        fail(run_id, why, expected=False, of=of)
    return exhausted_work


@transaction.atomic
def cancel(run_id: int, why: str = "cancelled on request", of: str | None = None) -> bool:
    """Cancel a live run and void its leases. Returns False if it had already ended, or does not belong to `of`."""
    if not _move(run_id, RunState.CANCELLED, *LIVE, of=of, error=why, expected=True, finished_at=ClockTimestamp()):
        return False
    _clear_leases(run_id)
    return True


def take_up(run_id: int, owner: str = "") -> None:
    """Continue a failed, cancelled or abandoned run in the process `owner` or with the workers.

    Raises InputError for a run that does not exist, is live or is done.
    """
    run = find(run_id)
    abandoned = run.state in LIVE and run.owner and is_gone(run.owner)
    if not (abandoned and take_over(run_id, run.owner, owner)):
        resume(run_id, owner)


@transaction.atomic
def take_over(run_id: int, gone: str, owner: str) -> bool:
    """Move the live run of a dead process to another owner. Returns False if another process was faster."""
    if not _move(run_id, RunState.QUEUED, *LIVE, of=gone, owner=owner):
        return False
    _free_again(run_id, owner)
    return True


@transaction.atomic
def resume(run_id: int, owner: str = "") -> None:
    """Queue the unfinished work of a failed or cancelled run. Raises InputError for a run in another state."""
    moved = _move(
        run_id,
        RunState.QUEUED,
        *RESUMABLE,
        owner=owner,
        # A person waits for it now, even if a schedule launched it.
        priority=Priority.INTERACTIVE,
        place=None,
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
    """Queue a finished run for a new summary. No model is asked, and the earlier measures stay.

    Raises InputError for a run that is not done, or whose spec is no longer valid.
    """
    run = find(run_id)
    parse(run.spec)
    again: dict[str, Any] = {"owner": "", "priority": Priority.INTERACTIVE, "place": None, "finished_at": None}
    if not _move(run_id, RunState.QUEUED, RunState.DONE, **again):
        raise InputError(f"run {run_id} is {run.state}; only a finished run can be summarised again.")
    Phase.objects.filter(run_id=run_id, name="summary").update(state=WorkState.READY, done_at=None)
    Phase.objects.filter(run_id=run_id, name="comparison").update(state=WorkState.WAITING, done_at=None)
    _free_again(run_id, "")


def _free_again(run_id: int, owner: str) -> None:
    _clear_leases(run_id, attempts=0)
    if not owner:
        worker_messages.wake_later()


def _clear_leases(run_id: int, **changes: int) -> None:
    """Void all leases except on locked rows, so that a worker that hangs in its transaction blocks nobody."""
    for work in (Phase, Shard):
        undone: QuerySet[Any] = work._default_manager.filter(run_id=run_id).exclude(state=WorkState.DONE)
        unlocked = undone.select_for_update(skip_locked=True, of=("self",)).values("pk")
        undone.filter(pk__in=unlocked).update(token=None, leased_by="", lease_until=None, **changes)
