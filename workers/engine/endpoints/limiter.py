"""The limit of requests in flight at one server, which adapts to what the server refuses."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from workers.engine.endpoints.retries import PassingError

FIRST = 2.0
"""Requests in flight before the first answer."""


class Limiter:
    """Lets a request go when fewer than `most` are in flight.

    Fewer than `most` may go after the server was busy: their number is halved then, and grows by one each time that as
    many were answered. `most` may change while requests are out.
    """

    def __init__(self, most: int) -> None:
        self.most, self.limit, self.active, self.waiting = most, FIRST, 0, 0
        self.changed = threading.Condition()

    @contextmanager
    def request(self, given_up: threading.Event) -> Iterator[None]:
        """Wait for a place, and hold it for the body, which sends one request.

        Raises PassingError without the body once `given_up` is set and `wake` was called.
        """
        self._enter(given_up)
        try:
            yield
        except PassingError as error:
            if error.busy:
                self.busy()
            raise
        else:
            self.answered()
        finally:
            with self.changed:
                self.active -= 1
                self.changed.notify_all()

    def wake(self) -> None:
        """Let those that wait look whether they are given up."""
        with self.changed:
            self.changed.notify_all()

    def answered(self) -> None:
        """Count an answer."""
        with self.changed:
            self.limit = min(max(1.0, self.most), self.limit + 1 / self.limit)
            self.changed.notify_all()

    def busy(self) -> None:
        """Halve the requests in flight, because the server asks for fewer."""
        with self.changed:
            self.limit = max(1.0, self.limit / 2)

    def _enter(self, given_up: threading.Event) -> None:
        with self.changed:
            self.waiting += 1
            try:
                self.changed.wait_for(lambda: given_up.is_set() or self.active < min(int(self.limit), self.most))
            finally:
                self.waiting -= 1
            if given_up.is_set():
                raise PassingError("is not asked any more")
            self.active += 1


LimiterAt = Callable[[str, int], Limiter]
"""Returns the limiter of the server at an address, for a process that wishes for some requests in flight."""


def own_limiter(_url: str, most: int) -> Limiter:
    """Return a limiter that nobody shares."""
    return Limiter(most)
