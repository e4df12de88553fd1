"""Celery beat that runs its two tasks itself, so that busy workers or a missing broker delay nothing."""

from typing import Any, ClassVar

import structlog
from celery.beat import ScheduleEntry, Scheduler
from django.conf import settings
from django.db import OperationalError, close_old_connections

from plumbline import embedded

log = structlog.get_logger(__name__)


class Timekeeper(Scheduler):
    """A scheduler without state between starts. It uses no local clock, since due times are in the database."""

    producer = None
    is_stopping: ClassVar[bool] = False
    """Whether somebody asked the process to stop. A signal can come while the scheduler is made, so the class says."""

    def tick(self, *_: Any, **__: Any) -> float:
        """Run each entry once. Returns the seconds until the next round. Raises SystemExit if it is stopping."""
        for entry in self.schedule.values():
            self.apply_entry(entry)
        if self.is_stopping:
            raise SystemExit
        return float(settings.TICK_SECONDS)

    def close(self) -> None:
        """Remember the request to stop: at a signal, Celery closes its scheduler and then raises SystemExit.

        Python drops what is raised in a callback, such as those of imports and weak references. The scheduler then
        went on, and nothing stopped it but SIGKILL.
        """
        Timekeeper.is_stopping = True
        super().close()

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
