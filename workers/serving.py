"""A worker of the pool: the one child of a Celery process, from its start to its clean end.

The parent only passes messages on. The child loads torch and keeps the model; it alone appears on leases.
"""

import os
import signal
from collections.abc import Callable
from contextlib import ExitStack
from types import FrameType
from typing import Any

import psutil  # type: ignore[import-untyped]
import structlog
from celery import signals
from django.conf import settings
from django.db import connections
from kombu.exceptions import OperationalError

from plumbline import tracing
from plumbline.audits import worker_messages
from plumbline.audits.models import Role, WorkerState
from plumbline.audits.ownership import this_process
from plumbline.audits.presence import LOADING, Presence
from plumbline.audits.states import Queue

SLICE_SECONDS = 5.0
"""After this long a worker looks at its other messages, if it is between two pieces of work."""
SPENT_STATUS, CANNOT_START_STATUS = 70, 71
LONGEST_DOING = 60
"""Characters of what a worker is seen doing."""
STOP = signal.SIGRTMIN
"""The parent's message to its child. Celery's pool keeps the usual signals to itself."""

log = structlog.get_logger(__name__)
queues: tuple[str, ...] = ()
"""What this worker consumes; known before the child is forked."""


class Child:
    """The child process: its worker, its presence, and how it ends."""

    def __init__(self) -> None:
        _end_transactions_left_idle()
        self.presence = Presence(this_process(), Role.WORKER, queues)
        self.presence.says(state=WorkerState.STARTING)
        self.end = ExitStack()
        self.end.enter_context(self.presence.shown())

        from workers import execution
        from workers.engine.loading import resolved_device, use_threads
        from workers.execution.shared_limiters import limiter_at
        from workers.probes.registry import PROBES

        # Now rather than at the first piece of work: what cannot be loaded keeps this worker from starting.
        for probe in PROBES:
            PROBES[probe]

        use_threads(max(1, (os.cpu_count() or 1) // settings.WORKERS))
        self.device = resolved_device("auto")
        self.worker = execution.Worker(this_process(), self, patience=float("inf"), owner="", limiter_at=limiter_at)
        self.busy = self.stopping = False
        self.presence.says(state=WorkerState.IDLE, device=self.device)

    def takes(self, run_id: int, what: str) -> None:
        self.presence.begins(state=WorkerState.WORKING, run_id=run_id, doing=what, items=0)

    def answers(self, what: str) -> None:
        self.presence.begins(state=WorkerState.WORKING, run_id=None, doing=what[:LONGEST_DOING], items=0)

    def loads(self, begins: bool) -> None:
        """Show that the work waits for its model, which may take minutes."""
        doing = self.presence.now["doing"].removesuffix(LOADING)
        self.presence.begins(doing=doing[: LONGEST_DOING - len(LOADING)] + LOADING if begins else doing)

    def stage(self, name: str, total: int, done: Callable[[], int]) -> None: ...

    def advance(self, items: int) -> None:
        self.presence.counts(items)

    def serve_a_while(self) -> None:
        """Do waiting work for a while. If there may be more, send a message for it, so that others have their turn."""
        while not self.stopping and self._serve(SLICE_SECONDS):
            try:
                worker_messages.hint(queues[0])
            except OperationalError:
                log.warning("the broker cannot be reached; going on without")
            else:
                # One more piece, while the message travels. If the broker went away meanwhile, it does not arrive.
                self._serve(0)
                if worker_messages.broker_answers():
                    break

    def _serve(self, seconds: float) -> bool:
        from workers import execution
        from workers.execution.worker_loop import WorkerSpentError

        try:
            self.busy = True
            # One question at a time, so that they hold no run up for long.
            asked = Queue.GPU in queues and execution.answer_next(self.worker, self.answers)
            return execution.serve(self.worker, queues, self.device, seconds) or asked
        except KeyboardInterrupt:
            log.info("stopped; the work is given back")
            return False
        except WorkerSpentError:
            self.end.close()
            os._exit(SPENT_STATUS)
        finally:
            self.busy = False
            self.presence.begins(state=WorkerState.IDLE, run_id=None, doing="", items=0)

    def stop(self, _signal: int, _frame: FrameType | None) -> None:
        """End the work like Ctrl-C does. The parent then closes the child."""
        self.stopping = True
        if self.busy:
            raise KeyboardInterrupt


def _end_transactions_left_idle() -> None:
    """A process that stops in a transaction blocks its rows for all others. The server ends it like a lease."""
    options = connections.settings["default"].setdefault("OPTIONS", {})
    timeout = f"-c idle_in_transaction_session_timeout={round(settings.LEASE_SECONDS * 1000)}"
    options["options"] = f"{options.get('options', '')} {timeout}".strip()


_child: Child | None = None


def serve_a_while() -> None:
    """What the task does. RuntimeError outside of a worker's child."""
    if _child is None:
        raise RuntimeError("this task runs in a child process of 'manage.py worker' only")
    try:
        _child.serve_a_while()
    except MemoryError:
        # Not even the work could be given back. Told of this error, Celery's parent would lose the thread that replaces
        # its child, and the worker would do nothing from then on.
        os._exit(SPENT_STATUS)


@signals.celeryd_after_setup.connect(weak=False)
def _know_queues(instance: Any, **_: Any) -> None:
    global queues
    queues = tuple(instance.app.amqp.queues.consume_from)


@signals.worker_process_init.connect(weak=False)
def _born(**_: Any) -> None:
    global _child
    structlog.contextvars.bind_contextvars(worker=this_process())
    tracing.start("worker")
    try:
        _child = Child()
    except BaseException:
        # Celery would go on with a child that can do nothing. The parent ends too, so that its supervisor sees it.
        log.critical("this worker cannot start", exc_info=True)
        os.kill(os.getppid(), signal.SIGTERM)
        os._exit(CANNOT_START_STATUS)
    signal.signal(STOP, _child.stop)


@signals.worker_ready.connect(weak=False)
def _look_for_work(**_: Any) -> None:
    for queue in queues:
        worker_messages.hint(queue)


@signals.worker_shutting_down.connect(weak=False)
def _stop_children(**_: Any) -> None:
    for child in psutil.Process().children():
        child.send_signal(STOP)


@signals.worker_process_shutdown.connect(weak=False)
def _gone(**_: Any) -> None:
    if _child is not None:
        _child.end.close()
    tracing.stop()
