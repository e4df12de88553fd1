"""Bodies of requests: refused by the length that they announce, before anything of them is parsed or kept.

Only what is announced is ever read (Django's LimitedStream), so one that says less than it sends gains nothing. One
that says more holds its thread until its time is up.
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
"""Of an uploaded file."""
MOST_BYTES = MOST_FILE_BYTES + 100_000
"""Of a whole body: the file, the fields beside it, and what parts them."""
DRAINED_BYTES = 100_000_000
CHUNK = 65_536
GONE = "the sender is gone, or was too slow, before the body was whole"


class TimedBody:
    """A body whose sender is hung up on where the next piece of it does not come in time.

    One that breaks off raises, as Django expects of a lost connection: half a form must not pass for a whole one.
    """

    def __init__(self, body: Any, sender: socket.socket | None) -> None:
        self._body, self._sender = body, sender

    def read(self, size: int) -> bytes:
        """So many bytes. Raises ConnectionResetError where they do not come."""
        pieces: list[bytes] = []
        while (missing := size - sum(map(len, pieces))) > 0:
            piece = self._in_time(self._body.read, min(CHUNK, missing))
            if not piece:
                raise ConnectionResetError(GONE)
            pieces.append(piece)
        return b"".join(pieces)

    def readline(self, size: int) -> bytes:
        """As `read`, up to the end of a line."""
        line = self._in_time(self._body.readline, size)
        if len(line) < size and not line.endswith(b"\n"):
            raise ConnectionResetError(GONE)
        return line

    def _in_time(self, read: Callable[[int], bytes], size: int) -> bytes:
        with _hung_up_on(self._sender):
            return read(size)


def in_time(application: Callable[..., Any]) -> Callable[..., Any]:
    """The WSGI application, which gets each body as a TimedBody."""

    def answered(environ: dict[str, Any], start_response: Any) -> Any:
        environ["wsgi.input"] = TimedBody(environ["wsgi.input"], environ.get("gunicorn.socket"))
        return application(environ, start_response)

    return answered


class LimitedBodies:
    """Middleware, before all that reads a body: also a stranger's is parsed, for the token against forgery."""

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        if request.META.get("HTTP_TRANSFER_ENCODING"):
            # Django takes a body of unannounced length for an empty one.
            return Refused(request, 411, "Its length is not announced", DRAINED_BYTES)
        announced = _announced(request)
        if announced > MOST_BYTES:
            return Refused(request, 413, "It is too large", min(announced, DRAINED_BYTES))
        return self.get_response(request)


class Refused(HttpResponse):
    """The page is sent at once. Then the rest of the body is thrown away, within bounds.

    Without that, the server would reset a connection on which a browser still sends, and the page would not be shown.
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
    """Bytes; 0 for no number, as Django takes it."""
    try:
        return int(request.META.get("CONTENT_LENGTH") or 0)
    except ValueError:
        return 0


@contextmanager
def _hung_up_on(sender: socket.socket | None) -> Iterator[None]:
    """End the connection when the time is up: a read waits for all that it asked for, which may come byte by byte."""
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
    # Whatever is wrong with the rest, and whether somebody still sends it, is no matter any more.
    with suppress(Exception):
        while body and left > 0 and time.monotonic() < deadline:
            read = len(body.read(min(CHUNK, left)))
            left = left - read if read else 0
