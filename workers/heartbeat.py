"""The heartbeat of a lease: as long as the work goes on, and the process lives, nobody else may take it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error, connection

from plumbline.audits import leases

EVERY_SECONDS = 15.0


@contextmanager
def kept_alive(lease: leases.Lease) -> Iterator[None]:
    """Renew the lease from a thread of its own, on a connection of its own, while the body runs.

    A renewal that fails is tried again at the next beat: whether the lease was lost is decided where the work ends.
    """
    stop = threading.Event()
    thread = threading.Thread(target=_beat, args=(lease, stop), name=f"heartbeat of {lease.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def _beat(lease: leases.Lease, stop: threading.Event) -> None:
    try:
        while not stop.wait(EVERY_SECONDS):
            try:
                leases.renew(lease)
            except Error:
                connection.close()
    finally:
        connection.close()
