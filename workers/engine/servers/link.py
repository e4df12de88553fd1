"""Requests to a server: repeated after faults that pass, in time, and as many at once as the server takes."""

import json
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx2

from plumbline.spec.errors import ModelError
from workers.engine.endpoints.limiter import Limiter
from workers.engine.endpoints.retries import BUSY, PASSING, PassingError, retry_after, retrying

FIRST_PAUSE = JITTER = 0.25
"""Seconds."""

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Manner:
    """How requests are sent: the most at a time, attempts of each, and the seconds that one may take."""

    most: int = 16
    attempts: int = 8
    seconds: float = 120.0


class _ServerError(PassingError):
    """A passing fault of a server that may be `away` and perhaps started again."""

    def __init__(self, why: str, after: float = 0.0, *, busy: bool = False, away: bool = False) -> None:
        super().__init__(why, after, busy=busy)
        self.away = away


class Link:
    """A connection to one server; `sent` counts requests, the repeated ones included.

    `limiter` may be shared with others who ask the same server. Whoever executes a run sets it.
    """

    def __init__(self, url: str, reference: str, protocol: str, manner: Manner) -> None:
        self.url, self.reference, self.manner = url, reference, manner
        self.key_name = f"{protocol.upper()}_API_KEY"
        self.limiter = Limiter(manner.most)
        self.was_away = threading.Event()
        """Set when the server could not be reached, because it may have been restarted with another model."""
        self.sent = 0
        self._given_up = threading.Event()
        key = os.environ.get(self.key_name)
        limits = httpx2.Timeout(manner.seconds, connect=min(10.0, manner.seconds))
        self._client = httpx2.Client(timeout=limits, headers={"Authorization": f"Bearer {key}"} if key else {})
        # Whoever holds a link drops it with its model. The kept connections end with it, not when memory is tidied.
        weakref.finalize(self, self._client.close)

    def each(self, ask: Callable[[T], R], items: Iterable[T]) -> Iterator[R]:
        """Yield the results of `ask` as they come. After an error, what has not been sent is not sent any more."""
        with ThreadPoolExecutor(self.manner.most) as pool:
            futures = [pool.submit(ask, item) for item in items]
            try:
                for future in as_completed(futures):
                    yield future.result()
            except BaseException:
                self._given_up.set()
                self.limiter.wake()
                pool.shutdown(wait=True, cancel_futures=True)
                self._given_up.clear()
                raise

    def get(self, path: str) -> Any:
        """Return the JSON of a path, or None if the server does not have it."""
        return self._repeated("GET", path, None)

    def post(self, path: str, body: dict[str, Any]) -> Any:
        """Return the JSON of the answer, or None if the server does not have the path.

        Raises ModelError for a server that refuses, or whose faults do not pass.
        """
        return self._repeated("POST", path, body)

    def _repeated(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        repeating = retrying(self.manner.attempts, self._given_up, FIRST_PAUSE, JITTER)
        try:
            return repeating(self._once, method, path, body)
        except _ServerError as error:
            raise ModelError(
                f"{self.reference}: {error}, {self.manner.attempts} times in a row: check the server, then resume the"
                " run; earlier answers are kept"
            ) from error

    def _once(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        try:
            with self.limiter.request(self._given_up):
                return self._sent(method, path, body)
        except _ServerError as error:
            if error.away:
                self.was_away.set()
            raise

    def _sent(self, method: str, path: str, body: dict[str, Any] | None) -> Any:
        self.sent += 1
        until = time.monotonic() + self.manner.seconds
        try:
            with self._client.stream(method, f"{self.url}{path}", json=body) as response:
                content = b"".join(_in_time(response.iter_bytes(), until))
        except httpx2.TimeoutException as error:
            raise _ServerError("gives no answer in time", busy=True) from error
        except httpx2.TransportError as error:
            away = isinstance(error, httpx2.ConnectError)
            raise _ServerError(f"cannot be reached ({type(error).__name__})", away=away) from error
        return self._read(response, content)

    def _read(self, response: httpx2.Response, content: bytes) -> Any:
        status = response.status_code
        if status in PASSING:
            after = retry_after(response.headers.get("Retry-After", ""))
            raise _ServerError(f"answers {status}", after, busy=status in BUSY, away=status in (502, 503))
        if status in (404, 405, 501):
            return None
        if status != httpx2.codes.OK:
            raise ModelError(self._refusal(status, content))
        try:
            return json.loads(content) if content.strip() else {}
        except ValueError as error:
            raise _ServerError("gives an answer that is cut off") from error

    def _refusal(self, status: int, content: bytes) -> str:
        denied = status in (401, 403)
        remedy = f"set {self.key_name} to the key of that server" if denied else "check what the server says of it"
        told = " ".join(content.decode(errors="replace").split())[:200]
        return f"{self.reference} refuses with {status}: {remedy} ({told})"


def _in_time(parts: Iterable[bytes], until: float) -> Iterator[bytes]:
    """Yield the parts of an answer. A server that sends a byte now and then never meets the limit between two parts."""
    for part in parts:
        if time.monotonic() > until:
            raise _ServerError("gives no answer in time", busy=True)
        yield part
