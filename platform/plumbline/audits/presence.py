"""Who is alive: each process says so again and again, and is believed as long as the server's clock allows."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from typing import Any

from django.db import Error, connection
from django.db.models import Q, QuerySet, Value

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import Role, WorkerProcess, WorkerState
from plumbline.audits.ownership import is_gone

EVERY_SECONDS = 2.0
BELIEVED = timedelta(seconds=20)
FORGOTTEN = timedelta(days=1)


def alive(role: Role = Role.WORKER) -> QuerySet[WorkerProcess]:
    """The processes that were seen lately. A process of this host that was killed a moment ago is among them."""
    return WorkerProcess.objects.filter(role=role, seen_at__gt=ClockTimestamp() - Value(BELIEVED))


def idle(queue: str) -> int:
    """How many living workers of a queue wait for work."""
    return alive().filter(state=WorkerState.IDLE, queues__contains=[queue]).count()


def bury() -> None:
    """Forget the processes of this host that are gone, and those of others that were silent for a day."""
    gone = [name for name in WorkerProcess.objects.values_list("name", flat=True) if is_gone(name)]
    silent = Q(seen_at__lt=ClockTimestamp() - Value(FORGOTTEN))
    WorkerProcess.objects.filter(Q(name__in=gone) | silent).delete()


class Presence:
    """One process's row, written by a thread of its own: what the process does, and that it lives."""

    def __init__(self, name: str, role: Role, queues: tuple[str, ...] = (), device: str = "") -> None:
        self.name = name
        self.fixed: dict[str, Any] = {"role": role, "queues": list(queues), "device": device}
        self.news, self.ended = Event(), False
        self.now: dict[str, Any] = {"state": WorkerState.IDLE, "run_id": None, "doing": "", "items": 0}

    def says(self, **what: Any) -> None:
        """Change what is told: at once where the state or the run is another one, else with the next beat."""
        before, self.now = self.now, {**self.now, **what}
        if (before["state"], before["run_id"]) != (self.now["state"], self.now["run_id"]):
            self.news.set()

    def tell(self) -> None:
        """Write the row now."""
        told = {**self.fixed, **self.now, "seen_at": ClockTimestamp()}
        if not WorkerProcess.objects.filter(name=self.name).update(**told):
            WorkerProcess.objects.create(name=self.name, started_at=ClockTimestamp(), **told)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Beat while the body runs; at its end the row goes."""
        thread = Thread(target=self._beat, name=f"presence of {self.name}", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.ended = True
            self.news.set()
            thread.join()

    def _beat(self) -> None:
        while not self.ended:
            self._try(self.tell)
            self.news.wait(EVERY_SECONDS)
            self.news.clear()
        self._try(WorkerProcess.objects.filter(name=self.name).delete)

    def _try(self, speak: Any) -> None:
        """A beat that fails is followed by the next; each has its own connection, which no fork may inherit."""
        try:
            speak()
        except Error:
            pass
        finally:
            connection.close()
