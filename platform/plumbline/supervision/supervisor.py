"""The supervisor's process: start, query and stop it, and remove the leftovers of a killed one."""

import http.client
import subprocess
import sys
from collections.abc import Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any
from xmlrpc.client import Fault, ServerProxy

import psutil  # type: ignore[import-untyped]
from supervisor.xmlrpc import SupervisorTransport

from plumbline import embedded
from plumbline.spec.errors import InputError
from plumbline.supervision.installation import ROOT, control_socket, var_dir

STOP_SECONDS = 80.0  # more than the longest stopwaitsecs
NO_ANSWER = (OSError, http.client.HTTPException, Fault)


def pid() -> int | None:
    """Return the supervisor's process id, or None if none answers."""
    with suppress(*NO_ANSWER):
        return int(_ask("getPID"))
    return None


def programs() -> list[dict[str, Any]]:
    """Return the supervisor's information on each program, or nothing if it does not answer."""
    with suppress(*NO_ANSWER):
        return list(_ask("getAllProcessInfo"))
    return []


def start(environment: Mapping[str, str]) -> None:
    _prepare_logs(var_dir() / "logs")
    embedded.own_models(var_dir()).mkdir(exist_ok=True)
    command = [str(Path(sys.executable).with_name("supervisord")), "-c", str(ROOT / "supervisord.conf")]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if ended.returncode != 0:
        raise InputError(f"the supervisor did not start: {(ended.stderr + ended.stdout).strip()}")


def _prepare_logs(folder: Path) -> None:
    """Create the folder of the logs, and close it and the logs of earlier releases to all but their owner."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder.chmod(0o700)
    for log in folder.glob("*.log*"):
        log.chmod(0o600)


def stop(process_id: int) -> None:
    """Tell the supervisor to stop its programs and wait for its end. Raises InputError if it does not end."""
    with suppress(psutil.NoSuchProcess, *NO_ANSWER):
        process = psutil.Process(process_id)
        _ask("shutdown")
        try:
            process.wait(STOP_SECONDS)
        except psutil.TimeoutExpired:
            raise InputError(f"the supervisor, process {process_id}, does not end; see {var_dir() / 'logs'}.") from None


def end_leftovers() -> None:
    """End the leftovers of a killed supervisor or parent. Parents get TERM, so that they end cleanly."""
    left = _leftovers()
    pids = {process.pid for process in left}
    for process in left:
        with suppress(psutil.Error):
            if process.ppid() not in pids:
                process.terminate()
    for process in psutil.wait_procs(left, timeout=STOP_SECONDS)[1]:
        with suppress(psutil.Error):
            process.kill()


def _leftovers() -> list[psutil.Process]:
    """Return the processes whose environment names our socket, except the embedded server."""
    mark = ("SUPERVISOR_SERVER_URL", f"unix://{control_socket()}")
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if mark in process.environ().items() and process.name() != "postgres":
                found.append(process)
    return found


def _ask(question: str) -> Any:
    with closing(SupervisorTransport(None, None, f"unix://{control_socket()}")) as transport:
        return getattr(ServerProxy("http://127.0.0.1", transport).supervisor, question)()
