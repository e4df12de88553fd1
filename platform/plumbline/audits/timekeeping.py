"""Celery's beat doing its two tasks itself: time is kept while all workers are busy and the broker is away."""

from typing import Any

import structlog
from celery.beat import ScheduleEntry, Scheduler
from django.conf import settings
from django.db import OperationalError, close_old_connections

from plumbline import embedded

log = structlog.get_logger(__name__)


class Timekeeper(Scheduler):
    """Keeps nothing between two starts, and looks at no clock of this machine: what is due stands in the database."""

    producer = None

    def tick(self, *_: Any, **__: Any) -> float:
        """Do each entry once; the seconds until the next round."""
        for entry in self.schedule.values():
            self.apply_entry(entry)
        return float(settings.TICK_SECONDS)

    def apply_entry(self, entry: ScheduleEntry, producer: Any = None) -> None:
        """Do the entry's task here. What goes wrong is logged, and tried again in the next round."""
        close_old_connections()
        try:
            self.app.tasks[entry.task]()
        except OperationalError as error:
            log.warning("the database is away", task=entry.task, error=" ".join(str(error).split()))
            embedded.restart_if_it_crashed()
        except Exception:
            log.exception("a round of the scheduler failed", task=entry.task)
        finally:
            close_old_connections()
