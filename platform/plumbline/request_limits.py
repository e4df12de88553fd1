"""Limits on request bodies. They are refused by their announced length, before anything is parsed or stored.

Django reads only the announced length (LimitedStream), so a sender gains nothing by announcing less. A sender that
announces more holds its thread until the timeout.
"""

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

MOST_FILE_BYTES = 10_000_000
"""The largest uploaded file, in bytes."""
MOST_BYTES = MOST_FILE_BYTES + 100_000
"""The largest request body in bytes: the file, the other fields and their separators."""
DRAINED_BYTES = 100_000_000
CHUNK = 65_536
GONE = "the sender disconnected or was too slow before the body was complete"


class TimedBody:
    """A body with a timeout for each piece.

    An incomplete body raises an error, as Django expects for a lost connection: half a form must not count as a
    complete one.
    """

    def __init__(self, body: Any, sender: socket.socket | None) -> None:
        self._body, self._sender = body, sender

    def read(self, size: int) -> bytes:
        """Read this many bytes. Raises ConnectionResetError if they do not arrive."""
        pieces: list[bytes] = []
        while (missing := size - sum(map(len, pieces))) > 0:
            piece = self._in_time(self._body.read, min(CHUNK, missing))
            if not piece:
                raise ConnectionResetError(GONE)
            pieces.append(piece)
        return b"".join(pieces)

    def readline(self, size: int) -> bytes:
        """Read up to the end of a line, with the same errors as `read`."""
        line = self._in_time(self._body.readline, size)
        if len(line) < size and not line.endswith(b"\n"):
            raise ConnectionResetError(GONE)
        return line

    def _in_time(self, read: Callable[[int], bytes], size: int) -> bytes:
        with _hung_up_on(self._sender):
            return read(size)


def in_time(application: Callable[..., Any]) -> Callable[..., Any]:
    """Return the WSGI application with each request body wrapped in a TimedBody."""

    def answered(environ: dict[str, Any], start_response: Any) -> Any:
        environ["wsgi.input"] = TimedBody(environ["wsgi.input"], environ.get("gunicorn.socket"))
        return application(environ, start_response)

    return answered


class LimitedBodies:
    """Middleware that refuses large bodies before anything reads them. CSRF checks also parse strangers' bodies."""

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        if request.META.get("HTTP_TRANSFER_ENCODING"):
            # Django treats a body of unannounced length as empty.
            return Refused(request, 411, "Its length is not announced", DRAINED_BYTES)
        announced = _announced(request)
        if announced > MOST_BYTES:
            return Refused(request, 413, "It is too large", min(announced, DRAINED_BYTES))
        return self.get_response(request)


class Refused(HttpResponse):
    """The page is sent at once, and then the rest of the body is discarded, within limits.

    Otherwise the server would reset a connection on which the browser still sends, and the page would not appear.
    """

    def __init__(self, request: HttpRequest, status: int, fault: str, left: int) -> None:
        page = render_to_string("refused_body.html", {"fault": fault, "megabytes": MOST_FILE_BYTES // 1_000_000})
        super().__init__(page, status=status)
        self._body, self._left = request.META.get("wsgi.input"), left
        self._sender = request.META.get("gunicorn.socket")

    def close(self) -> None:
        with _hung_up_on(self._sender):
            _drain(self._body, self._left)
        super().close()


def _announced(request: HttpRequest) -> int:
    """Return the announced number of bytes, or 0 for an invalid one, like Django."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


@contextmanager
def _hung_up_on(sender: socket.socket | None) -> Iterator[None]:
    """Close the connection at the timeout. A read waits for all of its bytes, which may arrive one by one."""
    timer = Timer(settings.DRAIN_SECONDS, _hang_up, [sender])
    timer.daemon = True
    if sender:
        timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _hang_up(sender: socket.socket) -> None:
    with suppress(OSError):
        sender.shutdown(socket.SHUT_RDWR)


def _drain(body: Any, left: int) -> None:
    deadline = time.monotonic() + settings.DRAIN_SECONDS
    # Errors in the rest of the body no longer matter.
    with suppress(Exception):
        while body and left > 0 and time.monotonic() < deadline:
            read = len(body.read(min(CHUNK, left)))
            left = left - read if read else 0
