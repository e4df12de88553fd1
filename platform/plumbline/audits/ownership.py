"""The process that owns an inline run. No worker may touch the run while that process lives."""

import os
import socket
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path


def _started(pid: str) -> str:
    """Return the start time of a process, which identifies a reused pid, or "" if there is no such process."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    # A killed process that its parent does not reap stays in the table as a zombie, in some containers forever.
    return "" if state in "ZX" else fields[18]


@cache
def _place() -> str:
    """Return a name for the pid namespace of this machine.

    Containers may share a host name, and so may cloned machines.
    """
    machine = Path("/etc/machine-id")
    known, namespace = "", ""
    with suppress(OSError):
        known = machine.read_text()
    with suppress(OSError):
        namespace = str(Path("/proc/self/ns/pid").readlink())
    return f"{socket.gethostname()}/{sha256(f'{known} {namespace}'.encode()).hexdigest()[:6]}"


def this_process() -> str:
    """Return namespace, pid and start time of this process: its name as an owner of runs and leases."""
    pid = str(os.getpid())
    return f"{_place()}:{pid}:{_started(pid)}"


def is_gone(owner: str) -> bool:
    """Return whether the process certainly ended: it ran in this namespace, and its pid is free or was reused."""
    place, pid, started = owner.rsplit(":", 2) if owner.count(":") >= 2 else ("", "", "")
    return place == _place() and _started(pid) != started and not _hidden(pid)


def _hidden(pid: str) -> bool:
    """Return whether a process exists that /proc does not show. It may belong to another user."""
    if Path(f"/proc/{pid}").exists():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except (OSError, ValueError):
        return True
    return True
