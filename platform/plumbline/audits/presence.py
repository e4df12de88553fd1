"""Who is alive: each process says so again and again, and is believed as long as the server's clock allows."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from typing import Any

from django.db.models import Case, Q, QuerySet, Value, When

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import Role, WorkerProcess, WorkerState
from plumbline.audits.outage_log import OutageLog
from plumbline.audits.ownership import is_gone

EVERY_SECONDS = 2.0
BELIEVED = timedelta(seconds=20)
FORGOTTEN = timedelta(days=1)
ACTIVITY = ("state", "run_id", "doing")
"""What a process does; when one of these changed, its row's `doing_since` tells."""
NOT_YET_KNOWN = ""
"""The device of a worker that is starting."""
NOT_SHOWN = (
    f"tried again every {EVERY_SECONDS:g} seconds; after {BELIEVED.seconds} seconds the process counts as dead, though"
    " it goes on"
)
NOT_REMOVED = f"after {BELIEVED.seconds} seconds the process counts as dead"
NOBODY = "no worker is alive: 'make up' starts some, 'manage.py worker' one"
NO_SCHEDULER = "no scheduler is alive: lost messages are not sent again; 'make up' starts one"


def alive(role: Role = Role.WORKER) -> QuerySet[WorkerProcess]:
    """The processes that were seen lately. A process of this host that was killed a moment ago is among them."""
    return WorkerProcess.objects.filter(role=role, seen_at__gt=ClockTimestamp() - Value(BELIEVED))


def idle(queue: str) -> Counter[str]:
    """How many living workers of a queue wait for work, by device."""
    waiting = alive().filter(state=WorkerState.IDLE, queues__contains=[queue])
    return Counter(waiting.values_list("device", flat=True))


def why_nobody(queue: str, device: str = "") -> str:
    """Why no living worker takes the work of a queue, and what to do; empty where one does or will.

    `device`: on which the run was planned, where the work asks its model.
    """
    living = list(alive().values_list("queues", "device"))
    devices = [has for queues, has in living if queue in queues]
    if not living:
        return NOBODY
    if not devices:
        return f"no living worker (of {len(living)}) serves the queue {queue}: 'manage.py worker' starts one that does"
    if device and not {device, NOT_YET_KNOWN} & set(devices):
        return (
            f"it was planned on {device}, which no living worker of the queue {queue} has (of {len(devices)}):"
            " start one that does"
        )
    return ""


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
        """Write the row now. What it held until then tells whether the process does something else."""
        told = {**self.fixed, **self.now, "seen_at": ClockTimestamp()}
        the_same = {what: told[what] for what in ACTIVITY}
        since = Case(When(**the_same, then="doing_since"), default=ClockTimestamp())
        if not WorkerProcess.objects.filter(name=self.name).update(**told, doing_since=since):
            told |= {"started_at": ClockTimestamp(), "doing_since": ClockTimestamp()}
            WorkerProcess.objects.create(name=self.name, **told)

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
        """A beat that fails is followed by the next; each has its own connection."""
        outages = OutageLog()
        while not self.ended:
            with outages.tolerated("this process cannot show that it is alive", NOT_SHOWN, process=self.name):
                self.tell()
            self.news.wait(EVERY_SECONDS)
            self.news.clear()
        with outages.tolerated("this process cannot show that it ended", NOT_REMOVED, process=self.name):
            WorkerProcess.objects.filter(name=self.name).delete()
