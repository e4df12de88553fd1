"""The web process as it is deployed: gunicorn on a database of its own, which goes and comes back."""

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from plumbline import embedded
from tests.deployment.conftest import ROOT, get, json_lines, wait_until
from tests.processes import forked

pytestmark = pytest.mark.slow

GUNICORN = ROOT / ".venv/bin/gunicorn"


@pytest.fixture
def web(environment: dict[str, str], var_dir: Path, tmp_path: Path) -> Iterator[forked.Process]:
    environment |= {"WEB_CONCURRENCY": "1", "ALLOWED_HOSTS": "audits.example.org"}
    collect = ("manage.py", "collectstatic", "--noinput", "--verbosity", "0")
    forked.run(*collect, env=environment).check_returncode()
    with (tmp_path / "log").open("wb") as log:
        process = forked.start(GUNICORN, env=environment, log=log)
    try:
        wait_until(lambda: get(environment["PORT"], "/health/")[0], "web answers")
        yield process
    finally:
        process.terminate()
        process.wait(30)
        embedded.stop(var_dir)


def test_the_health_check_follows_the_database(
    web: forked.Process, environment: dict[str, str], var_dir: Path, tmp_path: Path
) -> None:
    port = environment["PORT"]
    status, headers, body = get(port, "/health/")
    assert (status, body) == (200, b'{"status": "ok"}')
    assert "no-store" in headers["cache-control"]

    embedded.stop(var_dir)
    status, _, body = get(port, "/health/")
    said = json.loads(body)
    assert (status, said["status"]) == (503, "database does not answer")
    assert "manage.py db start" in said["remedy"]
    embedded.start(var_dir)
    assert get(port, "/health/")[0] == 200

    web.terminate()
    assert web.wait(30) == 0
    said = json_lines((tmp_path / "log").read_text())
    [failed] = [line for line in said if line["event"] == "database does not answer"]
    assert failed["level"] == "warning"
    requests = [line["event"] for line in said if line["logger"] == "gunicorn.access"]
    assert [request.split(" ms")[0].rsplit(" ", 1)[0] for request in requests] == ["GET /health/ 503"]


def test_pages_have_their_static_files(web: forked.Process, environment: dict[str, str]) -> None:
    status, headers, body = get(environment["PORT"], "/static/admin/css/base.css")
    assert (status, headers["content-type"]) == (200, 'text/css; charset="utf-8"')
    assert b"admin" in body.lower()


def test_only_this_machine_and_the_allowed_hosts_are_answered(web: forked.Process, environment: dict[str, str]) -> None:
    for host in ("audits.example.org", "localhost"):
        assert get(environment["PORT"], "/admin/login/", host)[0] == 200
    assert get(environment["PORT"], "/admin/login/", "evil.example.org")[0] == 400


def test_the_word_of_a_proxy_counts_where_it_is_trusted(environment: dict[str, str], var_dir: Path) -> None:
    trusted = environment | {"HTTPS": "1", "TRUSTED_PROXIES": "127.0.0.0/8"}
    for settings, status in ((trusted, 200), (trusted | {"TRUSTED_PROXIES": "10.0.0.5"}, 301)):
        with_settings = forked.start(GUNICORN, env=settings)
        try:
            wait_until(lambda: get(environment["PORT"], "/health/")[0], "web answers")
            asked = b"GET /admin/login/ HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: https\r\n"
            assert said(environment["PORT"], asked + b"Connection: close\r\n\r\n").startswith(b"HTTP/1.1 %d" % status)
        finally:
            with_settings.terminate()
            with_settings.wait(30)
    embedded.stop(var_dir)


@pytest.fixture
def impatient(environment: dict[str, str]) -> None:
    environment["DRAIN_SECONDS"] = "3"


THREADS = 4
UPLOAD = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
ELEVEN = 11_000_000


class TestLargeBodies:
    def test_they_are_refused_before_they_are_sent(self, web: object, environment: dict[str, str]) -> None:
        began = time.monotonic()
        with closing(socket.create_connection(("127.0.0.1", int(environment["PORT"])), timeout=20)) as browser:
            browser.sendall(UPLOAD + b"Content-Length: %d\r\n\r\n" % ELEVEN)
            assert browser.recv(4096).startswith(b"HTTP/1.1 413 ")
        assert time.monotonic() - began < 5

    def test_a_browser_that_sends_first_and_reads_then_gets_the_page(
        self, web: forked.Process, environment: dict[str, str]
    ) -> None:
        before = resident(web)
        for size in (ELEVEN, 8 * ELEVEN):
            sent = UPLOAD + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % size
            answer = said(environment["PORT"], sent, bytes(size))
            assert answer.startswith(b"HTTP/1.1 413 ")
            assert b"A file may have 10 MB" in answer
        assert resident(web) - before < ELEVEN

    def test_one_of_unannounced_length_is_refused(self, web: object, environment: dict[str, str]) -> None:
        chunks = b"%X\r\n%b\r\n0\r\n\r\n" % (ELEVEN, bytes(ELEVEN))
        answer = said(environment["PORT"], UPLOAD + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n", chunks)
        assert answer.startswith(b"HTTP/1.1 411 ")
        assert b"length is not announced" in answer

    def test_who_announces_much_and_sends_nothing_holds_a_thread_for_a_while_only(
        self, impatient: None, web: object, environment: dict[str, str]
    ) -> None:
        with ExitStack() as opened:
            for _ in range(THREADS):
                silent = socket.create_connection(("127.0.0.1", int(environment["PORT"])), timeout=20)
                opened.enter_context(closing(silent)).sendall(UPLOAD + b"Content-Length: %d\r\n\r\n" % (9 * ELEVEN))
                assert silent.recv(4096).startswith(b"HTTP/1.1 413 ")
            began = time.monotonic()
            assert get(environment["PORT"], "/health/")[0] == 200
            assert 0.5 < time.monotonic() - began < 10

    def test_who_announces_little_and_sends_nothing_does_so_too(
        self, impatient: None, web: object, environment: dict[str, str]
    ) -> None:
        with ExitStack() as opened:
            for _ in range(THREADS):
                silent = socket.create_connection(("127.0.0.1", int(environment["PORT"])), timeout=20)
                opened.enter_context(closing(silent)).sendall(UPLOAD + b"Content-Length: 5000\r\n\r\n")
            began = time.monotonic()
            assert get(environment["PORT"], "/health/")[0] == 200
            assert 0.5 < time.monotonic() - began < 10

    def test_one_that_lies_is_read_as_far_as_it_said(self, web: object, environment: dict[str, str]) -> None:
        answer = said(environment["PORT"], UPLOAD + b"Connection: close\r\nContent-Length: 5\r\n\r\n", bytes(100_000))
        assert answer.startswith(b"HTTP/1.1 403 ")


def said(port: str, head: bytes, body: bytes = b"") -> bytes:
    """All that a server says to somebody who reads only when everything is sent."""
    with closing(socket.create_connection(("127.0.0.1", int(port)), timeout=20)) as browser:
        browser.sendall(head)
        browser.sendall(body)
        return b"".join(iter(lambda: browser.recv(65_536), b""))


def resident(web: forked.Process) -> int:
    """Bytes of memory of the server's processes."""
    master = psutil.Process(web.pid)
    return sum(process.memory_info().rss for process in (master, *master.children()))


def test_no_web_process_loads_torch(environment: dict[str, str], var_dir: Path) -> None:
    """Started as it is deployed, with nothing loaded before."""
    with subprocess.Popen([GUNICORN], cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) as web:
        try:
            wait_until(lambda: get(environment["PORT"], "/admin/login/")[0] == 200, "web answers")
            loaded = libraries(psutil.Process(web.pid))
        finally:
            web.terminate()
    embedded.stop(var_dir)
    assert any("psycopg" in path for path in loaded)
    assert not any("torch" in path for path in loaded)


def libraries(master: psutil.Process) -> set[str]:
    """The files that a server's processes have mapped."""
    return {mapped.path for process in (master, *master.children()) for mapped in process.memory_maps()}
