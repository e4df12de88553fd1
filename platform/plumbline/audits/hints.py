"""Hints: messages that wake idle workers. What to do they find in the database: a lost hint loses nothing."""

import structlog
from django.db import transaction
from kombu.exceptions import OperationalError

from plumbline.audits import presence
from plumbline.audits.next_run import fits, questions_wait, with_free_work
from plumbline.audits.states import Queue
from plumbline.celery import app

WORK = "workers.tasks.work"
log = structlog.get_logger(__name__)


def wake_later() -> None:
    """Wake whoever is idle, once what is written now can be seen."""
    transaction.on_commit(wake, robust=True)


def wake() -> int:
    """Send messages to idle workers that could do what waits; how many. A broker that is away is no error."""
    try:
        return sum(map(_wake, Queue.values))
    except OperationalError as error:
        log.warning("the broker cannot be reached; the next sweep tries again", error=str(error))
        return 0


def _wake(queue: str) -> int:
    """One message for each idle worker of the queue whose device has work, whichever of them gets it."""
    devices = presence.idle(queue).items()
    asked = queue == Queue.GPU and questions_wait()
    able = sum(workers for device, workers in devices if asked or with_free_work([queue], fits(device)).exists())
    for _ in range(able):
        hint(queue)
    return able


def hint(queue: str) -> None:
    """One message. kombu's OperationalError when the broker cannot be reached."""
    app.send_task(WORK, queue=queue, ignore_result=True)
