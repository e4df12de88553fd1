"""Limiters of servers whose limits all workers share.

One thread renews the shares of this process while it asks, with its own connection. Requests never wait for the
database, except for the first share.
"""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from django.conf import settings

from plumbline.audits import server_shares
from plumbline.audits.outage_log import OutageLog
from plumbline.audits.ownership import this_process
from plumbline.audits.server_shares import LAPSE, Report
from plumbline.spec.reference import server_address
from workers.engine.endpoints.limiter import Limiter, LimiterAt
from workers.engine.endpoints.remote import RemoteModel
from workers.engine.servers.link import Link
from workers.probes.protocol import AnyModel

EVERY_SECONDS = 1.0
KEPT = (
    f"tried again every {EVERY_SECONDS:g} seconds; requests go on with the last share, or one at a time before the"
    f" first. After {LAPSE.seconds} seconds workers that reach the database may use this share too"
)

_limiters: dict[str, "SharedLimiter"] = {}
_asked = threading.Event()
_thread: threading.Thread | None = None
_outages = OutageLog()


class SharedLimiter(Limiter):
    """The limiter of this process at one server. `most` is its share, which is 0 until it has been renewed."""

    def __init__(self, address: str) -> None:
        super().__init__(0)
        self.address, self.met = address, Report(1)
        self.wanted, self.used, self.tried = False, float("-inf"), float("-inf")

    @contextmanager
    def request(self, given_up: threading.Event) -> Iterator[None]:
        self._want()
        try:
            with super().request(given_up):
                yield
        finally:
            self.used = time.monotonic()

    def answered(self) -> None:
        with self.changed:
            super().answered()
            self.met = replace(self.met, answered=self.met.answered + 1)

    def busy(self) -> None:
        with self.changed:
            super().busy()
            self.met = replace(self.met, busy=True)

    def wishes(self, most: int) -> None:
        """Set how many requests this process would have in flight."""
        with self.changed:
            self.met = replace(self.met, wish=most)

    def in_use(self) -> bool:
        return bool(self.wanted or self.active or self.waiting)

    def renew_if_due(self) -> None:
        if time.monotonic() - self.tried >= EVERY_SECONDS:
            self.renew()

    def renew(self) -> None:
        """Renew the share. If the database is away, the last one stays."""
        with self.changed:
            met, self.met = self.met, Report(self.met.wish)
            self.tried = time.monotonic()
        share = max(1, self.most)
        with _outages.tolerated("the share of a server's limit cannot be renewed", KEPT, server=self.address):
            share = server_shares.renew(self.address, this_process(), met, self._lower)
        with self.changed:
            self.most, self.wanted = share, False
            self.changed.notify_all()

    def _want(self) -> None:
        with self.changed:
            if not self.in_use() and time.monotonic() - self.used > LAPSE.total_seconds():
                # The share has lapsed, so others may use it.
                self.most = 0
            self.wanted, self.used = True, time.monotonic()
        _start_once()
        _asked.set()

    def _lower(self, share: int) -> int:
        with self.changed:
            self.most = min(self.most, share)
            return self.active


def limiter_at(url: str, most: int) -> SharedLimiter:
    """Return this process's limiter of the server at an address, which wishes for some requests in flight."""
    address = server_address(url)
    limiter = _limiters.setdefault(address, SharedLimiter(address))
    limiter.wishes(most)
    return limiter


def limited(model: AnyModel, limiter_at: LimiterAt) -> AnyModel:
    """Let a model behind a server send its requests by this limiter."""
    if isinstance(model, RemoteModel):
        model.limiter_at = limiter_at
    if isinstance(link := getattr(model, "link", None), Link):
        link.manner = replace(link.manner, most=settings.SERVER_REQUESTS or link.manner.most)
        link.limiter = limiter_at(link.url, link.manner.most)
    return model


def _start_once() -> None:
    """Start the thread if it is not alive. A thread does not survive a fork, so a child process starts its own."""
    global _thread
    if _thread is None or not _thread.is_alive():
        _thread = threading.Thread(target=_renew_shares, name="shares of servers", daemon=True)
        _thread.start()


def _renew_shares() -> None:
    while True:
        used = [one for one in list(_limiters.values()) if one.in_use()]
        for one in used:
            one.renew_if_due()
        _asked.wait(EVERY_SECONDS / 4 if used else None)
        _asked.clear()
