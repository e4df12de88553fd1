"""The web process as it is deployed: gunicorn on a database of its own, which goes and comes back."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil  # type: ignore[import-untyped]
import pytest

from plumbline import embedded
from tests.deployment.conftest import ROOT, get, json_lines, wait_until

pytestmark = pytest.mark.slow


@pytest.fixture
def web(environment: dict[str, str], var_dir: Path, tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    environment |= {"WEB_CONCURRENCY": "1", "ALLOWED_HOSTS": "audits.example.org"}
    collect = [".venv/bin/python", "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    subprocess.run(collect, cwd=ROOT, env=environment, check=True)
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen([".venv/bin/gunicorn"], cwd=ROOT, env=environment, stdout=log, stderr=log)
    try:
        wait_until(lambda: get(environment["PORT"], "/health/")[0], "web answers")
        yield process
    finally:
        process.terminate()
        process.wait(30)
        embedded.stop(var_dir)


def test_the_health_check_follows_the_database(
    web: subprocess.Popen[bytes], environment: dict[str, str], var_dir: Path, tmp_path: Path
) -> None:
    port = environment["PORT"]
    status, headers, body = get(port, "/health/")
    assert (status, body) == (200, b'{"status": "ok"}')
    assert "no-store" in headers["cache-control"]

    embedded.stop(var_dir)
    assert get(port, "/health/")[::2] == (503, b'{"status": "database does not answer"}')
    embedded.start(var_dir)
    assert get(port, "/health/")[0] == 200

    web.terminate()
    assert web.wait(30) == 0
    said = json_lines((tmp_path / "log").read_text())
    [failed] = [line for line in said if line["event"] == "database does not answer"]
    assert failed["level"] == "warning"
    requests = [line["event"] for line in said if line["logger"] == "gunicorn.access"]
    assert [request.split(" ms")[0].rsplit(" ", 1)[0] for request in requests] == ["GET /health/ 503"]


def test_pages_have_their_static_files(web: subprocess.Popen[bytes], environment: dict[str, str]) -> None:
    status, headers, body = get(environment["PORT"], "/static/admin/css/base.css")
    assert (status, headers["content-type"]) == (200, 'text/css; charset="utf-8"')
    assert b"admin" in body.lower()


def test_only_this_machine_and_the_allowed_hosts_are_answered(
    web: subprocess.Popen[bytes], environment: dict[str, str]
) -> None:
    for host in ("audits.example.org", "localhost"):
        assert get(environment["PORT"], "/admin/login/", host)[0] == 200
    assert get(environment["PORT"], "/admin/login/", "evil.example.org")[0] == 400


def test_no_web_process_loads_torch(web: subprocess.Popen[bytes], environment: dict[str, str]) -> None:
    assert get(environment["PORT"], "/admin/login/")[0] == 200
    master = psutil.Process(web.pid)
    loaded = {mapped.path for process in (master, *master.children()) for mapped in process.memory_maps()}
    assert any("psycopg" in path for path in loaded)
    assert not any("torch" in path for path in loaded)
