"""Large bodies are refused by what they announce; tests/deployment/test_web.py does the same to a real server."""

import socket
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from threading import Event, Thread
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIRequest
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.test import RequestFactory
from gunicorn.http.body import Body, LengthReader
from gunicorn.http.unreader import SocketUnreader
from pytest_django import Settings

from plumbline.request_limits import CHUNK, DRAINED_BYTES, MOST_BYTES, MOST_FILE_BYTES, LimitedBodies, in_time

# An answer that is closed looks after the database's connection.
pytestmark = pytest.mark.django_db


class Endless:
    """A body that never ends, and remembers how it was read."""

    def __init__(self) -> None:
        self.read_bytes, self.largest = 0, 0

    def read(self, size: int) -> bytes:
        self.read_bytes += size
        self.largest = max(self.largest, size)
        return b"x" * size


def answer(length: object, body: Any = None, **more: object) -> HttpResponse:
    request: HttpRequest = RequestFactory().post("/login/")
    request.META |= more | {"CONTENT_LENGTH": str(length), "wsgi.input": body}
    answered: HttpResponse = LimitedBodies(lambda _: HttpResponse("let in"))(request)
    return answered


@pytest.mark.parametrize("length", [0, "", "nonsense", MOST_BYTES])
def test_what_is_within_the_limit_is_let_in(length: object) -> None:
    assert answer(length).content == b"let in"


def test_a_file_of_the_greatest_size_fits_with_its_form() -> None:
    assert MOST_BYTES - MOST_FILE_BYTES > 10_000


def test_what_is_larger_is_refused_before_a_byte_is_read() -> None:
    body = Endless()
    refused = answer(MOST_BYTES + 1, body)
    assert refused.status_code == 413
    assert "A file may have 10 MB" in refused.content.decode()
    assert body.read_bytes == 0


def test_the_rest_is_thrown_away_in_small_pieces_and_within_bounds() -> None:
    body = Endless()
    answer(MOST_BYTES + 1, body).close()
    assert (body.read_bytes, body.largest) == (MOST_BYTES + 1, CHUNK)
    body = Endless()
    answer(10**15, body).close()
    assert body.read_bytes == DRAINED_BYTES


def test_a_body_of_unannounced_length_is_refused_not_taken_for_an_empty_one() -> None:
    refused = answer("", HTTP_TRANSFER_ENCODING="chunked")
    assert refused.status_code == 411
    assert "length is not announced" in refused.content.decode()


def test_a_sender_that_goes_away_meanwhile_is_no_error() -> None:
    class Gone:
        def read(self, size: int) -> bytes:
            raise ConnectionResetError

    answer(MOST_BYTES + 1, Gone()).close()


def received(ours: socket.socket, announced: int) -> bytes:
    """The body that a view reads of what comes through a server's socket."""
    environ = RequestFactory().post("/login/").environ | {
        "CONTENT_LENGTH": str(announced),
        "wsgi.input": Body(LengthReader(SocketUnreader(ours), announced)),
        "gunicorn.socket": ours,
    }
    found: bytes = in_time(lambda environ, _: WSGIRequest(environ).body)(environ, None)
    return found


@pytest.fixture
def sockets() -> Iterator[tuple[socket.socket, socket.socket]]:
    ours, theirs = socket.socketpair()
    with closing(ours), closing(theirs):
        for end in (ours, theirs):
            end.settimeout(60)
        yield ours, theirs


def test_a_body_that_comes_is_read_whole(sockets: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = sockets
    sent = bytes(range(256)) * 1000
    sender = Thread(target=theirs.sendall, args=(sent,))
    sender.start()
    assert received(ours, len(sent)) == sent
    sender.join()


def test_a_body_that_is_announced_and_never_sent_holds_no_thread(
    sockets: tuple[socket.socket, socket.socket], settings: Settings
) -> None:
    settings.DRAIN_SECONDS = 0.3
    ours, theirs = sockets
    began = time.monotonic()
    theirs.sendall(b"name=half")
    with pytest.raises(UnreadablePostError, match="before the body was complete"):
        received(ours, 5000)
    assert 0.2 < time.monotonic() - began < 25
    assert theirs.recv(1) == b""


def test_half_a_form_is_not_taken_for_a_whole_one(sockets: tuple[socket.socket, socket.socket]) -> None:
    ours, theirs = sockets
    theirs.sendall(b"name=half")
    theirs.shutdown(socket.SHUT_WR)
    with pytest.raises(UnreadablePostError):
        received(ours, 5000)


@pytest.mark.parametrize("piece", [b"", b"x"])
def test_a_sender_that_falls_silent_or_sends_byte_by_byte_is_hung_up_on(piece: bytes, settings: Settings) -> None:
    settings.DRAIN_SECONDS = 0.5
    ours, theirs = socket.socketpair()
    for end in (ours, theirs):
        end.settimeout(60)
    over = Event()
    sender = Thread(target=trickle, args=(theirs, piece, over))
    sender.start()
    began = time.monotonic()
    body = Body(LengthReader(SocketUnreader(ours), DRAINED_BYTES))
    answer(DRAINED_BYTES, body, **{"gunicorn.socket": ours}).close()
    took = time.monotonic() - began
    over.set()
    sender.join()
    assert theirs.recv(1) == b""
    ours.close()
    theirs.close()
    assert 0.4 < took < 25


def trickle(to: socket.socket, piece: bytes, over: Event) -> None:
    with suppress(OSError):
        for _ in range(200):
            if over.wait(0.02):
                return
            to.sendall(piece)
