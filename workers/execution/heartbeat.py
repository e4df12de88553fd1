"""The heartbeat of leases: no other worker may take the work as long as it runs and the process lives.

One thread serves the whole process with its own connection. It starts with the first lease. Starting a thread for each
lease would hang when memory has run out, which is when the lease must be given up.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from django.conf import settings

from plumbline.audits import leases
from plumbline.audits.outage_log import OutageLog

BEATS_PER_LEASE = 4


@dataclass(eq=False)
class Hold:
    """A lease of this worker, which it may lose while it works."""

    lease: leases.Lease
    lost: threading.Event = field(default_factory=threading.Event)

    def check(self) -> None:
        """Raise LeaseLostError if a renewal found that the lease was taken over or cleared."""
        if self.lost.is_set():
            raise leases.LeaseLostError(f"the lease of {self.lease.what} was lost")


_held: set[Hold] = set()
_changed = threading.Condition()
_thread: threading.Thread | None = None
_outages = OutageLog()


@contextmanager
def kept_alive(lease: leases.Lease) -> Iterator[Hold]:
    """Renew the lease while the body runs, and yield its hold.

    A renewal that fails is tried again at the next beat. Whether the work may be written is decided where it ends.
    """
    _start_once()
    hold = Hold(lease)
    with _changed:
        _held.add(hold)
        _changed.notify()
    try:
        yield hold
    finally:
        with _changed:
            _held.discard(hold)
            _changed.notify()


def _start_once() -> None:
    """Start the thread if it is not alive. A thread does not survive a fork, so a child process starts its own."""
    global _thread
    if _thread is None or not _thread.is_alive():
        _thread = threading.Thread(target=_beat, name="heartbeat of leases", daemon=True)
        _thread.start()


def _beat() -> None:
    while True:
        with _changed:
            _changed.wait_for(lambda: _held)
            none_left = _changed.wait_for(lambda: not _held, settings.LEASE_SECONDS / BEATS_PER_LEASE)
            holds = [] if none_left else list(_held)
        for hold in holds:
            _renew(hold)


def _renew(hold: Hold) -> None:
    then = (
        f"the next beat tries again; {settings.LEASE_SECONDS:g} seconds after it was renewed last, another worker may"
        " take the work, and what is done here is thrown away"
    )
    with _outages.tolerated("a lease cannot be renewed", then, lease=hold.lease.what):
        if not leases.renew(hold.lease):
            hold.lost.set()
