"""The check that everything works: every program is running, and the web process is healthy."""

import http.client
import time
from collections.abc import Mapping
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from plumbline.spec.errors import InputError
from plumbline.supervision import supervisor
from plumbline.supervision.installation import DEFAULTS, var_dir

START_SECONDS = 60.0
"""How long a program may be down: one that ends again and again stays so."""
SLOW_START_SECONDS = 180.0
"""How long all programs may run before the web process answers: on a busy machine it loads for more than a minute."""
TAIL_LINES = 12
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - a process that listens everywhere listens here, too


def wait_until_working() -> str:
    """Wait until all works.

    Returns the address, the workers and the log folder. Raises InputError with the faulty logs.
    """
    settings = _running_settings()
    began = time.monotonic()
    while missing := _not_working(settings):
        limit = START_SECONDS if _down() else SLOW_START_SECONDS
        if time.monotonic() > began + limit:
            raise InputError(f"{', '.join(missing)}: not working after {limit:.0f} s.\n{_said_by(missing)}")
        time.sleep(0.2)
    count = sum(program["name"].startswith("worker-") for program in supervisor.programs())
    return f"{address()} with a scheduler and {count} worker{'s' * (count != 1)}; logs in {var_dir() / 'logs'}"


def address() -> str:
    """Return the address of the desk: where the running web process listens."""
    settings = _running_settings()
    return f"http://{settings['HOST']}:{settings['PORT']}/"


def local_address() -> str:
    """Return an address of the desk that a browser of this machine can open."""
    settings = _running_settings()
    host = EVERYWHERE.get(settings["HOST"].strip("[]"), settings["HOST"].strip("[]"))
    return f"http://{f'[{host}]' if ':' in host else host}:{settings['PORT']}/"


def _running_settings() -> Mapping[str, str]:
    """Return the settings with which the supervisor was started. This shell's may have changed since."""
    pid = supervisor.pid()
    return DEFAULTS | (psutil.Process(pid).environ() if pid else {})


def _not_working(settings: Mapping[str, str]) -> list[str]:
    missing = _down()
    return missing if {"web", "supervisord"} & {*missing} or _is_healthy(settings) else [*missing, "web"]


def _down() -> list[str]:
    programs = supervisor.programs()
    down = [program["name"] for program in programs if program["statename"] != "RUNNING"]
    return down if programs else ["supervisord"]


def _is_healthy(settings: Mapping[str, str]) -> bool:
    host = settings["HOST"].strip("[]")
    connection = http.client.HTTPConnection(EVERYWHERE.get(host, host), int(settings["PORT"]), timeout=15)
    try:
        # Requests from this machine are always an allowed host.
        connection.request("GET", "/health/", headers={"Host": "localhost"})
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _said_by(programs: list[str]) -> str:
    logs = [var_dir() / "logs" / f"{program}.log" for program in programs]
    return "\n".join(f"--- {log}\n{_tail(log)}" for log in logs if log.exists())


def _tail(log: Path) -> str:
    return "\n".join(log.read_text(errors="replace").splitlines()[-TAIL_LINES:])
