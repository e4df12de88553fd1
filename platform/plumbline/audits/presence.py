"""Living processes. Each writes a heartbeat and counts as alive for a while by the server's clock."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from threading import Event, Thread
from time import monotonic
from typing import Any

from django.db.models import Case, Q, QuerySet, Value, When

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import Role, WorkerProcess, WorkerState
from plumbline.audits.outage_log import OutageLog
from plumbline.audits.ownership import is_gone

EVERY_SECONDS = 2.0
BELIEVED = timedelta(seconds=20)
FORGOTTEN = timedelta(days=1)
EXPECTED = timedelta(seconds=3 * EVERY_SECONDS)
"""A process that is silent for longer may be dead, or stand still."""
ACTIVITY = ("state", "run_id", "doing")
"""The fields of a process's activity. A change in any of them sets `doing_since`."""
UNCOUNTED: dict[str, Any] = {"counted_items": 0, "counted_seconds": 0.0}
LOADING = ", loads its model"
"""The end of what a worker does, while it waits for its model."""
NOT_YET_KNOWN = ""
"""The device of a worker that is starting."""
NOT_SHOWN = (
    f"tried again every {EVERY_SECONDS:g} seconds; after {BELIEVED.seconds} seconds the process counts as dead, though"
    " it goes on"
)
NOT_REMOVED = f"after {BELIEVED.seconds} seconds the process counts as dead"
NOBODY = (
    "no worker is alive: 'make up' starts some ('make down' first, if one has stopped answering), 'manage.py worker'"
    " one"
)
NO_SCHEDULER = "no scheduler is alive: lost messages are not sent again; 'make up' starts one"


def alive(role: Role = Role.WORKER) -> QuerySet[WorkerProcess]:
    """Return the processes with a recent heartbeat. A process killed a moment ago may be among them.

    A heartbeat of the future was written before the server's clock was set back.
    """
    recent = (ClockTimestamp() - Value(BELIEVED), ClockTimestamp() + Value(BELIEVED))
    return WorkerProcess.objects.filter(role=role, seen_at__range=recent)


def are_silent() -> bool:
    """Return whether the living workers all owe a heartbeat, as those do that were killed a moment ago."""
    return not alive().filter(seen_at__gte=ClockTimestamp() - Value(EXPECTED)).exists()


def idle(queue: str) -> Counter[str]:
    """Count the idle workers of a queue by device."""
    waiting = alive().filter(state=WorkerState.IDLE, queues__contains=[queue])
    return Counter(waiting.values_list("device", flat=True))


def why_no_worker(queue: str, device: str = "") -> str:
    """Return why no living worker takes the work of a queue, with the remedy, or "" if one does or will.

    `device` is where the run was planned, for work that asks its model.
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


def remove_dead() -> None:
    """Delete the rows of this host's dead processes, and of other hosts' processes without a heartbeat for a day."""
    gone = [name for name in WorkerProcess.objects.values_list("name", flat=True) if is_gone(name)]
    silent = Q(seen_at__lt=ClockTimestamp() - Value(FORGOTTEN))
    WorkerProcess.objects.filter(Q(name__in=gone) | silent).delete()


class Presence:
    """The row of this process, which its own thread writes: the current activity and a heartbeat."""

    def __init__(
        self,
        name: str,
        role: Role,
        queues: tuple[str, ...] = (),
        device: str = "",
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.name, self.clock = name, clock
        self.fixed: dict[str, Any] = {"role": role, "queues": list(queues), "device": device}
        self.news, self.ended = Event(), False
        self.now: dict[str, Any] = {"state": WorkerState.IDLE, "run_id": None, "doing": "", "items": 0, **UNCOUNTED}
        self.first_counted: float | None = None

    def says(self, **what: Any) -> None:
        """Change the activity. A new state or run is written at once, other changes with the next heartbeat."""
        before, self.now = self.now, {**self.now, **what}
        if (before["state"], before["run_id"]) != (self.now["state"], self.now["run_id"]):
            self.news.set()

    def begins(self, **what: Any) -> None:
        """Change the activity to work of which no item is done in this way yet."""
        self.first_counted = None
        self.says(**what, **UNCOUNTED)

    def counts(self, items: int) -> None:
        """Count items as done.

        Their rate begins after the first ones: before these, the worker also loads, reads and arranges what it needs.
        """
        done, now = self.now["items"] + items, self.clock()
        if self.first_counted is None:
            self.first_counted = now
            self.says(items=done)
        else:
            counted = self.now["counted_items"] + items
            self.says(items=done, counted_items=counted, counted_seconds=now - self.first_counted)

    def tell(self) -> None:
        """Write the row now. `doing_since` changes only if the activity differs from the stored one."""
        told = {**self.fixed, **self.now, "seen_at": ClockTimestamp()}
        the_same = {what: told[what] for what in ACTIVITY}
        since = Case(When(**the_same, then="doing_since"), default=ClockTimestamp())
        if not WorkerProcess.objects.filter(name=self.name).update(**told, doing_since=since):
            told |= {"started_at": ClockTimestamp(), "doing_since": ClockTimestamp()}
            WorkerProcess.objects.create(name=self.name, **told)

    @contextmanager
    def shown(self) -> Iterator[None]:
        """Write heartbeats while the body runs, then delete the row."""
        thread = Thread(target=self._beat, name=f"presence of {self.name}", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self.ended = True
            self.news.set()
            thread.join()

    def _beat(self) -> None:
        """Write heartbeats until the end. A failed one is followed by the next. Each has its own connection."""
        outages = OutageLog()
        while not self.ended:
            with outages.tolerated("this process cannot show that it is alive", NOT_SHOWN, process=self.name):
                self.tell()
            self.news.wait(EVERY_SECONDS)
            self.news.clear()
        with outages.tolerated("this process cannot show that it ended", NOT_REMOVED, process=self.name):
            WorkerProcess.objects.filter(name=self.name).delete()
