"""The queue as people see and reorder it. Each change is recorded with who made it."""

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import connection, transaction

from plumbline.audits import worker_messages
from plumbline.audits.models import MoveKind, QueueMove, Run
from plumbline.audits.queue.fair_order import in_order
from plumbline.audits.queue.next_run import with_free_work
from plumbline.audits.states import LIVE, Priority, Queue
from plumbline.spec.errors import InputError

ONE_MOVE_AT_A_TIME = "SELECT pg_advisory_xact_lock(hashtext('plumbline queue of runs'))"


def queue() -> list[Run]:
    """Return the runs with work that a worker may take, in the order of the next turns.

    A worker ends its own turn first, so a run that is being executed may be anywhere in this list.
    """
    waiting = with_free_work(tuple(Queue.values)).select_related("created_by").defer("spec", "traceback")
    return list(in_order(waiting))


@transaction.atomic
def move_to_front(run_id: int, by: User) -> QueueMove:
    """Put a run before all others of its priority. Raises InputError for a run that does not wait."""
    waiting, run = _waiting(run_id)
    others = [one for one in waiting if one.priority == run.priority and one.pk != run.pk]
    return _place(run, [run, *_placed(others)], waiting, MoveKind.FRONT, by)


@transaction.atomic
def move_up(run_id: int, by: User) -> QueueMove:
    """Put a run before the one that is now just before it in its priority. Those further ahead keep their order.

    Raises InputError for a run that does not wait, or is the first of its priority.
    """
    waiting, run = _waiting(run_id)
    same = [one for one in waiting if one.priority == run.priority]
    index = same.index(run)
    if not index:
        raise InputError(f"run {run_id} is already the first run of its priority.")
    ahead, passed = same[: index - 1], same[index - 1]
    return _place(run, [*ahead, run, *_placed([passed, *same[index + 1 :]])], waiting, MoveKind.UP, by)


@transaction.atomic
def release(run_id: int, by: User) -> QueueMove:
    """Take a run's place away, so that it waits for its turn as the others. Raises InputError if it has none."""
    waiting, run = _waiting(run_id)
    if run.place is None:
        raise InputError(f"run {run_id} has no place of its own: it waits for its turn.")
    Run.objects.filter(pk=run_id).update(place=None)
    return _recorded(run, run.priority, waiting, MoveKind.RELEASE, by)


@transaction.atomic
def change_priority(run_id: int, priority: Priority, by: User) -> QueueMove:
    """Change the priority of a waiting run. Its place among runs of the earlier priority is lost.

    Raises InputError for a run that does not wait, or has this priority.
    """
    waiting, run = _waiting(run_id)
    if run.priority == priority:
        raise InputError(f"run {run_id} already has the priority {priority.name.lower()}.")
    Run.objects.filter(pk=run_id).update(priority=priority, place=None)
    return _recorded(run, priority, waiting, MoveKind.PRIORITY, by)


def _waiting(run_id: int) -> tuple[list[Run], Run]:
    """Return the queue and one of its runs. Others that reorder the queue wait until this transaction ends."""
    with connection.cursor() as cursor:
        cursor.execute(ONE_MOVE_AT_A_TIME)
    waiting = queue()
    run = next((one for one in waiting if one.pk == run_id), None)
    if run is None:
        raise InputError(f"run {run_id} does not wait: {_why_not(run_id)}")
    return waiting, run


def _why_not(run_id: int) -> str:
    run = Run.objects.filter(pk=run_id).only("state", "owner").first()
    if run is None:
        return "there is no such run."
    if run.state in LIVE:
        return "the process that launched it executes it." if run.owner else "workers execute all that is left of it."
    return f"it is {run.state}."


def _placed(runs: Sequence[Run]) -> list[Run]:
    return [one for one in runs if one.place is not None]


def _place(run: Run, first: Sequence[Run], before: Sequence[Run], kind: MoveKind, by: User) -> QueueMove:
    for place, one in enumerate(first):
        Run.objects.filter(pk=one.pk).update(place=place)
    return _recorded(run, run.priority, before, kind, by)


def _recorded(run: Run, priority: int, before: Sequence[Run], kind: MoveKind, by: User) -> QueueMove:
    worker_messages.wake_later()
    return QueueMove.objects.create(
        run=run,
        by=by,
        kind=kind,
        position_before=_position(run, before),
        position_after=_position(run, queue()),
        priority_before=run.priority,
        priority_after=priority,
    )


def _position(run: Run, waiting: Sequence[Run]) -> int:
    """Return the position of a run, from 1. A run whose last work was just leased counts as the first."""
    return next((number for number, one in enumerate(waiting, 1) if one.pk == run.pk), 1)
