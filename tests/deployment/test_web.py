"""The web process as it is deployed: gunicorn on a database of its own, which goes and comes back."""

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from plumbline import embedded
from tests.deployment.conftest import ROOT, folder, get, installation, json_lines, wait_until
from tests.patience import PATIENCE
from tests.processes import forked

pytestmark = pytest.mark.slow

GUNICORN = ROOT / ".venv/bin/gunicorn"


@dataclass(frozen=True)
class Site:
    """A web process, its installation and what it wrote."""

    process: forked.Process
    environment: dict[str, str]
    log: Path

    @property
    def port(self) -> str:
        return self.environment["PORT"]

    @property
    def var_dir(self) -> Path:
        return Path(self.environment["PLUMBLINE_VAR"])


@contextmanager
def site() -> Iterator[Site]:
    """A body that does not come is awaited for three seconds, so that its tests need not wait for longer."""
    with folder() as made:
        settings = {"WEB_CONCURRENCY": "1", "ALLOWED_HOSTS": "audits.example.org", "DRAIN_SECONDS": "3"}
        environment = installation(made / "var") | settings
        collect = ("manage.py", "collectstatic", "--noinput", "--verbosity", "0")
        forked.run(*collect, env=environment).check_returncode()
        with (made / "log").open("wb") as log:
            process = forked.start(GUNICORN, env=environment, log=log)
        try:
            wait_until(lambda: get(environment["PORT"], "/health/")[0], "web answers")
            yield Site(process, environment, made / "log")
        finally:
            process.terminate()
            process.wait(PATIENCE)
            embedded.stop(made / "var")


@pytest.fixture(scope="module")
def web() -> Iterator[Site]:
    """One web process for all tests that only ask it something."""
    with site() as shared:
        yield shared


def test_the_health_check_follows_the_database() -> None:
    with site() as web:
        status, headers, body = get(web.port, "/health/")
        assert (status, body) == (200, b'{"status": "ok"}')
        assert "no-store" in headers["cache-control"]

        embedded.stop(web.var_dir)
        status, _, body = get(web.port, "/health/")
        said = json.loads(body)
        assert (status, said["status"]) == (503, "database does not answer")
        assert "manage.py db start" in said["remedy"]
        embedded.start(web.var_dir)
        assert get(web.port, "/health/")[0] == 200

        web.process.terminate()
        assert web.process.wait(PATIENCE) == 0
        said = json_lines(web.log.read_text())
    [failed] = [line for line in said if line["event"] == "database does not answer"]
    assert failed["level"] == "warning"
    requests = [line["event"] for line in said if line["logger"] == "gunicorn.access"]
    assert [request.split(" ms")[0].rsplit(" ", 1)[0] for request in requests] == ["GET /health/ 503"]


def test_pages_have_their_static_files(web: Site) -> None:
    status, headers, body = get(web.port, "/static/admin/css/base.css")
    assert (status, headers["content-type"]) == (200, 'text/css; charset="utf-8"')
    assert b"admin" in body.lower()


def test_only_this_machine_and_the_allowed_hosts_are_answered(web: Site) -> None:
    for host in ("audits.example.org", "localhost"):
        assert get(web.port, "/admin/login/", host)[0] == 200
    assert get(web.port, "/admin/login/", "evil.example.org")[0] == 400


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
            with_settings.wait(PATIENCE)
    embedded.stop(var_dir)


THREADS = 4
UPLOAD = b"POST /login/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n"
ELEVEN = 11_000_000


class TestLargeBodies:
    def test_they_are_refused_before_they_are_sent(self, web: Site) -> None:
        began = time.monotonic()
        with closing(socket.create_connection(("127.0.0.1", int(web.port)), timeout=PATIENCE)) as browser:
            browser.sendall(UPLOAD + b"Content-Length: %d\r\n\r\n" % ELEVEN)
            assert browser.recv(4096).startswith(b"HTTP/1.1 413 ")
        assert time.monotonic() - began < 60

    def test_a_browser_that_sends_first_and_reads_then_gets_the_page(self, web: Site) -> None:
        before = resident(web.process)
        for size in (ELEVEN, 8 * ELEVEN):
            sent = UPLOAD + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % size
            answer = said(web.port, sent, bytes(size))
            assert answer.startswith(b"HTTP/1.1 413 ")
            assert b"A file may have 10 MB" in answer
        assert resident(web.process) - before < ELEVEN

    def test_one_of_unannounced_length_is_refused(self, web: Site) -> None:
        chunks = b"%X\r\n%b\r\n0\r\n\r\n" % (ELEVEN, bytes(ELEVEN))
        answer = said(web.port, UPLOAD + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n", chunks)
        assert answer.startswith(b"HTTP/1.1 411 ")
        assert b"length is not announced" in answer

    def test_who_announces_much_and_sends_nothing_holds_a_thread_for_a_while_only(self, web: Site) -> None:
        with ExitStack() as opened:
            for _ in range(THREADS):
                silent = socket.create_connection(("127.0.0.1", int(web.port)), timeout=PATIENCE)
                opened.enter_context(closing(silent)).sendall(UPLOAD + b"Content-Length: %d\r\n\r\n" % (9 * ELEVEN))
                assert silent.recv(4096).startswith(b"HTTP/1.1 413 ")
            began = time.monotonic()
            assert get(web.port, "/health/")[0] == 200
            assert 0.5 < time.monotonic() - began < 60

    def test_who_announces_little_and_sends_nothing_does_so_too(self, web: Site) -> None:
        with ExitStack() as opened:
            for _ in range(THREADS):
                silent = socket.create_connection(("127.0.0.1", int(web.port)), timeout=PATIENCE)
                opened.enter_context(closing(silent)).sendall(UPLOAD + b"Content-Length: 5000\r\n\r\n")
            began = time.monotonic()
            assert get(web.port, "/health/")[0] == 200
            assert 0.5 < time.monotonic() - began < 60

    def test_one_that_lies_is_read_as_far_as_it_said(self, web: Site) -> None:
        answer = said(web.port, UPLOAD + b"Connection: close\r\nContent-Length: 5\r\n\r\n", bytes(100_000))
        assert answer.startswith(b"HTTP/1.1 403 ")


def said(port: str, head: bytes, body: bytes = b"") -> bytes:
    """All that a server says to somebody who reads only when everything is sent."""
    with closing(socket.create_connection(("127.0.0.1", int(port)), timeout=PATIENCE)) as browser:
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
