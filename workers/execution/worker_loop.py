"""The loop over pieces of work, for one run or for all queues, and the handling of each fault."""

import time
import traceback
from collections.abc import Callable, Collection
from contextlib import suppress
from functools import partial

import structlog
from django.db import Error, connection

from plumbline import tracing
from plumbline.audits import leases, life, worker_messages
from plumbline.audits.models import MOST_ATTEMPTS, Phase, Shard
from plumbline.audits.queue.next_run import Choice
from plumbline.audits.states import Queue
from plumbline.spec.errors import InputError, OutOfMemoryError
from workers.engine.endpoints.batch_client import BatchError
from workers.execution import outages
from workers.execution.comparing import compare_with_previous
from workers.execution.heartbeat import Hold, kept_alive
from workers.execution.planning import plan
from workers.execution.shard_execution import execute
from workers.execution.summary import summarise
from workers.execution.worker import Worker
from workers.interrupts import interrupts

DISK_FULL = "53100"
"""PostgreSQL's SQLSTATE of a full disk."""

ALL_QUEUES = tuple(Queue.values)
PAUSE_SECONDS = 0.05
STAY_SECONDS = 1.0
"""Seconds for which a worker stays with the small pieces of one run before it looks for a more urgent run."""

log = structlog.get_logger(__name__)


class WorkerSpentError(RuntimeError):
    """The error after which this process must end, such as no memory, so that a new process continues."""


def drive(run_id: int, worker: Worker) -> None:
    """Execute everything that is left of a run in this process. The run's row records how it ended.

    Raises KeyboardInterrupt, and the database's error when it stays away for longer than the worker's patience.
    """
    try:
        with interrupts():
            # A step that ends in an outage may leave the run's phases unchanged.
            while _pursue(run_id, worker) or life.advance(run_id):
                pass
    except KeyboardInterrupt:
        # The interrupt may have cut off a statement. What follows needs a connection in a known state.
        connection.close()
        life.cancel(run_id, f"interrupted; 'audit resume {run_id}' continues with the remaining work", of=worker.owns)
        raise


def serve(worker: Worker, queues: Collection[str], device: str, seconds: float) -> bool:
    """Execute the work in these queues, the most urgent first, for some seconds; return whether there may be more.

    Raises KeyboardInterrupt and WorkerSpentError; the current work is then free again.
    """
    until = time.monotonic() + seconds
    while (chosen := _next_run(worker, queues, device)) is not None:
        began = time.monotonic()
        more = _stay(chosen.run, worker, queues, min(until, began + STAY_SECONDS))
        _charge(worker, chosen, time.monotonic() - began)
        if not more:
            # Another worker was faster, or the run ended. In any case it must not be asked for at full speed.
            time.sleep(PAUSE_SECONDS)
        if time.monotonic() >= until:
            return True
    return False


def _stay(run_id: int, worker: Worker, queues: Collection[str], until: float) -> bool:
    """Execute pieces of one run until the time `until`; return False when this worker can do no more for it."""
    while more := _pursue(run_id, worker, queues):
        if time.monotonic() >= until:
            break
    return more


def _next_run(worker: Worker, queues: Collection[str], device: str) -> Choice | None:
    loaded = worker.loaded[0][0] if worker.loaded else ""
    while True:
        try:
            return worker.turns.next(queues, device, loaded)
        except Error as error:
            wait_out(error, worker)


def _charge(worker: Worker, chosen: Choice, seconds: float) -> None:
    """Charge the time to the run's person. If the database is away, nobody is charged and the next step waits."""
    with suppress(Error):
        worker.turns.worked(chosen, seconds)


def _pursue(run_id: int, worker: Worker, queues: Collection[str] = ALL_QUEUES) -> bool:
    """Execute one piece of a run; return False when this worker can do no more for it."""
    try:
        with interrupts():
            return _step(run_id, worker, queues)
    except leases.LeaseLostError:
        # The run continues elsewhere or was cancelled, so it is no longer this process's to end.
        return False
    except WorkerSpentError:
        raise
    except MemoryError as error:
        # It occurred between two pieces of work, or while one was given up. The lease expires and counts as an attempt.
        if not worker.owns:
            raise WorkerSpentError from error
        return _ended(run_id, worker, error)
    except Exception as error:
        return _ended(run_id, worker, error)


def _ended(run_id: int, worker: Worker, error: Exception) -> bool:
    """Record how the run ended; return True if it did not end, because the database was only away."""
    why, expected = f"{type(error).__name__}: {error}", False
    if isinstance(error, InputError):
        why, expected = str(error), True
    elif getattr(error.__cause__, "sqlstate", "") == DISK_FULL:
        why, expected = f"the database's disk is full: free some space, then 'audit resume {run_id}'", True
    elif isinstance(error, Error) and outages.passes(error):
        wait_out(error, worker)
        return True
    if not worker.owns:
        log.error("the run failed", run=run_id, error=why, exc_info=not expected)
    told = "" if expected else "".join(traceback.format_exception(error))
    life.fail(run_id, why, expected=expected, traceback=told, of=worker.owns)
    return False


def wait_out(error: Error, worker: Worker) -> bool:
    """Wait for a database that went away; return whether it was. Raises `error` for another fault or a long outage."""
    if not outages.passes(error):
        raise error
    log.warning("the database is away", error=" ".join(str(error).split()))
    was_away = outages.wait_until_over(worker.patience)
    log.info("the database is back")
    return was_away


def _step(run_id: int, worker: Worker, queues: Collection[str]) -> bool:
    """Claim one piece of work and execute it; return False if there is none for this worker."""
    phase = life.current_phase(run_id)
    if phase is None or phase.queue not in queues or not life.begin(phase):
        return False
    lease = leases.take_next_shard(phase, worker.name) if phase.sharded else leases.take_phase(phase, worker.name)
    if lease is None:
        life.end_if_exhausted(run_id, of=worker.owns)
        return False
    worker.report.takes(run_id, lease.what)
    shard = lease.row.number if isinstance(lease.row, Shard) else None
    with (
        structlog.contextvars.bound_contextvars(run=run_id, work=lease.what),
        tracing.span(phase.name, plumbline_run=run_id, plumbline_shard=shard),
    ):
        do(worker, lease, partial(_perform, worker, phase))
    return True


def do(worker: Worker, lease: leases.Lease, perform: Callable[[Hold], None]) -> None:
    """Execute claimed work. On any fault, the claim is given up or ends with its run.

    Raises the fault that ends its run or question, and WorkerSpentError.
    """
    try:
        with kept_alive(lease) as hold, interrupts():
            perform(hold)
    except (KeyboardInterrupt, SystemExit):
        # The interrupt may have cut off a statement. What follows needs a connection in a known state.
        connection.close()
        # If the database is away too, the lease expires by itself. The interrupt must not get lost.
        with suppress(Error):
            leases.give_back(lease)
        raise
    except (MemoryError, OutOfMemoryError) as error:
        worker.loaded = None
        _try_elsewhere(worker, lease, error)
        raise OutOfMemoryError(f"out of memory: {error}") from error
    except Error as error:
        # A connection that breaks while the database is up may be the work's own fault, so the attempt counts.
        give_up = leases.give_back if wait_out(error, worker) else leases.drop
        give_up(lease)
    except InputError as error:
        if isinstance(lease.row, Shard) and not isinstance(error, BatchError):
            # Planning accepted the same words and model, so something is wrong with this machine.
            _try_elsewhere(worker, lease, error)
        _only_if_held(lease, error)
        raise
    except Exception as error:
        _try_elsewhere(worker, lease, error)
        _only_if_held(lease, error)
        raise


def _try_elsewhere(worker: Worker, lease: leases.Lease, error: Exception) -> None:
    """Leave the work to another process of the pool, because this one may be broken, unless it was the last attempt.

    Raises WorkerSpentError, or LeaseLostError if another worker has the work already.
    """
    if worker.owns:
        return
    attempts = leases.attempts(lease)
    if attempts < MOST_ATTEMPTS:
        leases.drop(lease)
        told = f"{type(error).__name__}: {error}"
        log.error("failed; this process ends and another tries", attempts=attempts, error=told, exc_info=True)
        raise WorkerSpentError from error


def _only_if_held(lease: leases.Lease, error: Exception) -> None:
    """Raise LeaseLostError if the lease is lost, because only its holder may end the run."""
    if not leases.renew(lease):
        raise leases.LeaseLostError("what failed was no longer this worker's") from error


def _perform(worker: Worker, phase: Phase, hold: Hold) -> None:
    began = time.monotonic()
    work = worker.work(phase.run)
    if phase.plans:
        plan(work, phase, hold.lease)
    elif phase.sharded:
        execute(work, phase, hold)
    elif phase.name == "comparison":
        compare_with_previous(work, hold.lease)
    else:
        summarise(work, hold.lease)
    log.info("done", seconds=round(time.monotonic() - began, 3))
    if life.advance(phase.run_id) and not worker.owns:
        worker_messages.wake()
