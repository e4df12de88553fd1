"""One machine under its supervisor, for real: started, disturbed, stopped."""

import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import psutil  # type: ignore[import-untyped]
import pytest

from plumbline.supervision import __main__ as supervision
from plumbline.supervision import supervisor, watching
from tests import migrated
from tests.deployment.conftest import ROOT, folder, get, installation, json_lines, wait_until
from tests.patience import PATIENCE
from tests.ports import free_port

COMMAND = [".venv/bin/python", "-m", "plumbline.supervision"]


def run(environment: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=PATIENCE
    )


def supervise(environment: dict[str, str], action: str) -> str:
    ended = run(environment, *COMMAND, action)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def pids(environment: dict[str, str]) -> dict[str, int]:
    """The process of each program that runs, asked without a process for each question."""
    with mock.patch.dict(os.environ, {"PLUMBLINE_VAR": environment["PLUMBLINE_VAR"]}):
        return {info["name"]: info["pid"] for info in supervisor.programs() if info["statename"] == "RUNNING"}


def processes(environment: dict[str, str]) -> list[str]:
    """Everything on this machine that was started with the installation's folder."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("PLUMBLINE_VAR") == environment["PLUMBLINE_VAR"]:
                found.append(" ".join(process.cmdline()))
        except psutil.Error:
            continue
    return found


def installed(var_dir: Path, workers: int = 2) -> dict[str, str]:
    environment = installation(var_dir) | {"WORKERS": str(workers)}
    migrated.install(var_dir)
    return environment


@pytest.fixture(scope="module")
def machine() -> Iterator[dict[str, str]]:
    """An installation that is up, and goes on being up."""
    with folder() as made:
        environment = installed(made)
        try:
            supervise(environment, "up")
            yield environment
        finally:
            supervise(environment, "down")


@pytest.mark.slow
def test_up_starts_web_scheduler_and_workers_and_says_where(machine: dict[str, str]) -> None:
    assert pids(machine).keys() == {"web", "scheduler", "worker-1", "worker-2"}
    assert get(machine["PORT"], "/health/")[0] == 200
    logs = Path(machine["PLUMBLINE_VAR"]) / "logs"
    told, *about_account = supervise(machine, "up").splitlines()
    assert told == (
        "runs already, and keeps the settings that it began with. `make down` stops it, then `make up` takes new ones:"
        f" http://127.0.0.1:{machine['PORT']}/ with a scheduler and 2 workers;"
        f" logs in {logs}"
    )
    assert "There is no account yet" in about_account[0]
    assert json_lines((logs / "web.log").read_text())
    assert (Path(machine["PLUMBLINE_VAR"]) / "own-models").is_dir()
    wait_until(lambda: json_lines((logs / "scheduler.log").read_text()), "the scheduler logs")


@pytest.mark.slow
def test_status_prints_a_link_that_makes_the_first_account(machine: dict[str, str]) -> None:
    link = supervise(machine, "status").split()[-1]
    status, _, page = get(machine["PORT"], link.partition(f":{machine['PORT']}")[2])
    assert (status, b"The first account" in page) == (200, True)


@pytest.mark.slow
def test_a_second_up_shows_the_running_settings_not_its_own(machine: dict[str, str]) -> None:
    before = pids(machine)
    assert f":{machine['PORT']}/ with a scheduler and 2 workers" in supervise(
        machine | {"PORT": str(free_port()), "WORKERS": "1"}, "up"
    )
    assert pids(machine) == before


@pytest.mark.slow
@pytest.mark.parametrize("program", ["web", "scheduler", "worker-1"])
def test_a_killed_program_comes_back(machine: dict[str, str], program: str) -> None:
    before = pids(machine)[program]
    os.kill(before, signal.SIGKILL)
    wait_until(lambda: pids(machine).get(program, before) != before, f"{program} is back")
    wait_until(lambda: get(machine["PORT"], "/health/")[0] == 200, "web is healthy")


@pytest.mark.slow
@pytest.mark.parametrize("killed", [False, True])
def test_down_leaves_no_process_even_of_a_killed_supervisor(var_dir: Path, killed: bool) -> None:
    environment = installed(var_dir, workers=1)
    try:
        supervise(environment, "up")
        assert any("postgres" in command for command in processes(environment))
        if killed:
            os.kill(int((var_dir / "supervisord.pid").read_text()), signal.SIGKILL)
    finally:
        told = supervise(environment, "down")
    assert told == "stopped\n"
    assert processes(environment) == []
    assert supervise(environment, "down") == "was not running\n"
    assert supervise(environment, "status") == "not running\n"


@pytest.fixture
def here(environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    """For calls in this process: the environment of an installation that never ran."""
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("DATABASE_URL", raising=False)


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_what_does_not_start_is_reported_with_its_log_and_nothing_stays(
    var_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(watching, "START_SECONDS", 12.0)
    monkeypatch.setenv("LOG_LEVEL", "LOUD")
    assert supervision.main(["up"]) == 2
    told = capsys.readouterr().err
    assert "web" in told.splitlines()[0]
    assert "not working after 12 s" in told
    assert f"--- {var_dir / 'logs' / 'web.log'}" in told
    assert "LOG_LEVEL must be one of" in told
    assert processes({"PLUMBLINE_VAR": str(var_dir)}) == []


@pytest.mark.usefixtures("here")
def test_a_port_in_use_is_reported_at_once(var_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", int(os.environ["PORT"]))):
        assert supervision.main(["up"]) == 2
    told = capsys.readouterr().err
    assert told == (
        f"error: web cannot listen on 127.0.0.1:{os.environ['PORT']} (Address already in use):"
        " choose another PORT or HOST.\n"
    )
    assert not (var_dir / "supervisord.pid").exists()


@pytest.mark.parametrize(
    ("variable", "value"), [("PORT", "http"), ("PORT", "70000"), ("WORKERS", "0"), ("WORKERS", "-1")]
)
def test_a_wrong_number_is_reported_with_its_limits(
    variable: str, value: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(variable, value)
    assert supervision.main(["up"]) == 2
    assert capsys.readouterr().err.startswith(f"error: {variable} must be a number from 1 to ")


def test_a_folder_too_deep_for_a_socket_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path / ("deep/" * 30)))
    assert supervision.main(["up"]) == 2
    assert "set PLUMBLINE_VAR to a shorter folder" in capsys.readouterr().err


def test_an_unknown_action_is_reported_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert supervision.main(["restart"]) == 2
    assert capsys.readouterr().err == "usage: python -m plumbline.supervision up|down|status\n"


def test_only_their_owner_can_read_the_logs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    (tmp_path / "logs").mkdir(mode=0o755)
    (tmp_path / "logs" / "web.log.1").touch(mode=0o644)
    supervisor._prepare_logs(tmp_path / "logs")
    assert (tmp_path / "logs").stat().st_mode & 0o777 == 0o700
    assert (tmp_path / "logs" / "web.log.1").stat().st_mode & 0o777 == 0o600


def test_status_says_that_the_embedded_server_was_stopped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program = {"name": "web", "statename": "RUNNING", "description": "pid 1"}
    monkeypatch.setattr(supervisor, "programs", lambda: [program])
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    monkeypatch.delenv("DATABASE_URL", raising=False)
    assert "manage.py db start" in supervision.status().splitlines()[-1]
    monkeypatch.setenv("DATABASE_URL", "postgres://somewhere/else")
    assert len(supervision.status().splitlines()) == 1
