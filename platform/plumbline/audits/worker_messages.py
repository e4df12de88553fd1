"""Hints: messages that wake idle workers. Workers find their work in the database, so a lost hint loses nothing."""

import structlog
from django.db import transaction
from kombu.exceptions import OperationalError

from plumbline.audits import presence
from plumbline.audits.queue.next_run import fits, questions_wait, with_free_work
from plumbline.audits.states import Queue
from plumbline.celery import app

WORK = "workers.tasks.work"
CONNECT_SECONDS = 2
log = structlog.get_logger(__name__)


def wake_later() -> None:
    """Wake idle workers after the current transaction has been committed."""
    transaction.on_commit(wake, robust=True)


def wake() -> int:
    """Send messages to idle workers that can do waiting work.

    Returns their number, or 0 if the broker is unreachable.
    """
    try:
        return sum(map(_wake, Queue.values))
    except OperationalError as error:
        log.warning("the broker cannot be reached; the next sweep tries again", error=str(error))
        return 0


def _wake(queue: str) -> int:
    """Send one message for each idle worker of the queue whose device has work.

    Any worker of the queue may receive it.
    """
    devices = presence.idle(queue).items()
    asked = queue == Queue.GPU and questions_wait()
    able = sum(workers for device, workers in devices if asked or with_free_work([queue], fits(device)).exists())
    for _ in range(able):
        hint(queue)
    return able


def broker_answers() -> bool:
    """Return whether the broker takes a connection now."""
    try:
        with app.connection_for_write(connect_timeout=CONNECT_SECONDS) as broker:
            broker.ensure_connection(max_retries=1, interval_start=0)
    except OperationalError:
        return False
    return True


def hint(queue: str) -> None:
    """Send one message to the queue. Raises kombu's OperationalError if the broker is unreachable."""
    app.send_task(WORK, queue=queue, ignore_result=True)
