"""Hints: messages that wake idle workers. What to do they find in the database: a lost hint loses nothing."""

import structlog
from django.db import transaction
from kombu.exceptions import OperationalError

from plumbline.audits import presence
from plumbline.audits.choosing import with_free_work
from plumbline.audits.states import Queue
from plumbline.celery import app

WORK = "workers.tasks.work"
log = structlog.get_logger(__name__)


def wake_later() -> None:
    """Wake whoever is idle, once what is written now can be seen."""
    transaction.on_commit(wake, robust=True)


def wake() -> int:
    """Send each idle worker a message if there is work for its queue; how many. A broker that is away is no error."""
    waiting = {queue: presence.idle(queue) for queue in Queue.values if with_free_work([queue]).exists()}
    try:
        for queue, workers in waiting.items():
            for _ in range(workers):
                hint(queue)
    except OperationalError as error:
        log.warning("the broker cannot be reached; the next sweep tries again", error=str(error))
        return 0
    return sum(waiting.values())


def hint(queue: str) -> None:
    """One message. kombu's OperationalError when the broker cannot be reached."""
    app.send_task(WORK, queue=queue, ignore_result=True)
