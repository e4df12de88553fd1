"""Start the product's commands as processes of their own, as `subprocess` does, without loading its libraries anew.

`run` and `start` take Python's arguments: `("manage.py", "audit", "list")`, `("-c", code)`, `("-m", module)`.
Use `subprocess` where a test is about the start itself: what is imported, or what libraries read as they load.
"""

import atexit
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO

from tests.patience import PATIENCE

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "PLUMBLINE_TESTS_FORKS"


class Process:
    """A running process with the methods of `subprocess.Popen`. It writes to temporary files, or to one that was given.

    Descriptors, not file objects: those would warn when a failing test's frame is collected in any order.
    """

    def __init__(self, args: Sequence[str], told: int, streams: tuple[int, ...]) -> None:
        self.args = list(args)
        self.returncode: int | None = None
        self._told, self._streams = told, streams
        pid = self._number(None)
        assert pid is not None
        self.pid = pid

    def __del__(self) -> None:
        for descriptor in (self._told, *self._streams):
            os.close(descriptor)

    def _number(self, timeout: float | None) -> int | None:
        """The next number that the server tells: the pid, then the exit status. None if none comes in time."""
        line = b""
        while not line.endswith(b"\n"):
            if not select.select([self._told], [], [], timeout)[0]:
                return None
            part = os.read(self._told, 1)
            assert part, f"the server of processes ended before {self.args} did"
            line += part
        return int(line)

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self.returncode = self._number(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return self.returncode

    def poll(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def send_signal(self, which: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, which)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def communicate(self, timeout: float = PATIENCE) -> tuple[str, str]:
        """What it wrote to its two streams, once it has ended."""
        self.wait(timeout)
        out, err = (self._written(stream) for stream in self._streams)
        return out, err

    def wait_for_line(self, line: str, seconds: float = PATIENCE) -> None:
        """Until it has written this line to stderr; it must not end before."""
        deadline = time.monotonic() + seconds
        while line not in (written := self._written(self._streams[1])).splitlines():
            assert self.poll() is None, written
            assert time.monotonic() < deadline, written
            time.sleep(0.005)

    def _written(self, stream: int) -> str:
        return os.pread(stream, os.fstat(stream).st_size, 0).decode()


def start(
    *command: object,
    env: Mapping[str, str] | None = None,
    cwd: Path | str | None = None,
    log: IO[bytes] | None = None,
) -> Process:
    """Start a process in a session of its own; what it writes goes to `log`, or to be asked by `communicate`."""
    streams = () if log else (_temporary(), _temporary())
    with Path(os.devnull).open("rb") as nothing:
        written_to = (log.fileno(), log.fileno()) if log else streams
        asking = ask(list(map(str, command)), (nothing.fileno(), *written_to), env, cwd)
    return Process(list(map(str, command)), asking, streams)


def ask(
    command: list[str], streams: tuple[int, ...], env: Mapping[str, str] | None = None, cwd: Path | str | None = None
) -> int:
    """Ask the server for a process with these three streams; the descriptor that will tell its pid and its status."""
    request = {"command": command, "env": dict(os.environ if env is None else env), "cwd": str(cwd or ROOT)}
    line = json.dumps(request).encode() + b"\n"
    asking = socket.socket(socket.AF_UNIX)
    asking.connect(server())
    sent = socket.send_fds(asking, [line], streams)
    asking.sendall(line[sent:])
    return asking.detach()


def _temporary() -> int:
    """A descriptor of a file without a name."""
    descriptor, name = tempfile.mkstemp()
    Path(name).unlink()
    return descriptor


def run(
    *command: object, env: Mapping[str, str] | None = None, cwd: Path | str | None = None, timeout: float = PATIENCE
) -> subprocess.CompletedProcess[str]:
    """Run a process to its end. subprocess.TimeoutExpired where it takes longer, and it is killed."""
    process = start(*command, env=env, cwd=cwd)
    try:
        out, err = process.communicate(timeout)
    except BaseException:
        process.kill()
        raise
    return subprocess.CompletedProcess(process.args, process.wait(), out, err)


@cache
def server() -> str:
    """The socket of the server of processes: that of the session, which its controller started, or one of our own."""
    if ADDRESS not in os.environ:
        os.environ[ADDRESS] = _start_server()
    return os.environ[ADDRESS]


def _start_server() -> str:
    """Start one that ends with this process; it takes requests as soon as it has loaded the libraries."""
    path = str(Path(tempfile.mkdtemp(prefix="plumbline-forks-")) / "socket")
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(100)
    command = [sys.executable, "-m", "tests.processes.server", str(listener.fileno())]
    with listener:
        started = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            cwd=ROOT,
            env=_plain(os.environ),
            pass_fds=[listener.fileno()],
            start_new_session=True,
        )
    atexit.register(shutil.rmtree, Path(path).parent)
    atexit.register(started.communicate)
    return path


def _plain(environment: Mapping[str, str]) -> dict[str, str]:
    """With what Python and the libraries read as they load, and without what a test may have set for the product."""
    kept = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "VIRTUAL_ENV", "FORKED_CPU")
    numeric = ("OMP_NUM_THREADS", "OMP_WAIT_POLICY", "OPENBLAS_CORETYPE")
    found = {name: environment[name] for name in (*kept, *numeric) if name in environment}
    roots = [str(ROOT / "platform"), str(ROOT)]
    return found | {"PYTHONPATH": os.pathsep.join(roots), "TOKENIZERS_PARALLELISM": "false"}
