"""Celery beat that runs its two tasks itself, so that busy workers or a missing broker delay nothing."""

import signal
from collections.abc import Callable
from functools import partial
from typing import Any

import structlog
from celery.beat import ScheduleEntry, Scheduler, Service
from celery.signals import beat_init
from django.conf import settings
from django.db import OperationalError, close_old_connections

from plumbline import embedded

log = structlog.get_logger(__name__)


class Timekeeper(Scheduler):
    """A scheduler without state between starts. It uses no local clock, since due times are in the database."""

    producer = None
    is_stopping = False
    """Whether somebody asked the process to stop."""

    def tick(self, *_: Any, **__: Any) -> float:
        """Run each entry once. Returns the seconds until the next round. Raises SystemExit if it is stopping."""
        for entry in self.schedule.values():
            self.apply_entry(entry)
        if self.is_stopping:
            raise SystemExit
        return float(settings.TICK_SECONDS)

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Run the entry's task here. Errors are logged, and the next round tries again."""
        close_old_connections()
        try:
            self.app.tasks[entry.task]()
        except OperationalError as error:
            said = " ".join(str(error).split())
            log.warning("the database is away", task=entry.task, error=said, remedy=embedded.remedy())
            embedded.restart_if_it_crashed()
        except Exception:
            log.exception("a round of the scheduler failed", task=entry.task)
        finally:
            close_old_connections()


def keep_stops(sender: Service, **_: Any) -> None:
    """Remember each signal to stop, and then do what Celery does at one.

    Celery raises SystemExit wherever the process is. In a callback, such as those of imports, Python drops it: the
    scheduler then went on, and nothing stopped it but SIGKILL.
    """
    for number in (signal.SIGTERM, signal.SIGINT):
        if callable(then := signal.getsignal(number)):
            signal.signal(number, partial(_stop, sender.scheduler, then))


def _stop(keeper: Timekeeper, then: Callable[[int, Any], None], number: int, frame: Any) -> None:
    keeper.is_stopping = True
    then(number, frame)


beat_init.connect(keep_stops)
