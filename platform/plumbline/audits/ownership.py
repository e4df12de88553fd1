"""The process of an inline run: a run that no other worker may touch while that process lives."""

import os
import socket
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path


def _started(pid: str) -> str:
    """When the process started, so that a reused pid is not taken for it; empty when there is no such process."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    # A killed process whose parent does not care stays in the table as a zombie, in some containers for ever.
    return "" if state in "ZX" else fields[18]


@cache
def _place() -> str:
    """Where a pid means what it means here: containers may share a host's name, and cloned machines do."""
    machine = Path("/etc/machine-id")
    known, namespace = "", ""
    with suppress(OSError):
        known = machine.read_text()
    with suppress(OSError):
        namespace = str(Path("/proc/self/ns/pid").readlink())
    return f"{socket.gethostname()}/{sha256(f'{known} {namespace}'.encode()).hexdigest()[:6]}"


def this_process() -> str:
    """Place, pid and start of this process: the name under which it owns runs and leases work."""
    pid = str(os.getpid())
    return f"{_place()}:{pid}:{_started(pid)}"


def is_gone(owner: str) -> bool:
    """Whether the process surely lives no more: it ran in this place, and its pid is free or belongs to another."""
    place, pid, started = owner.rsplit(":", 2) if owner.count(":") >= 2 else ("", "", "")
    return place == _place() and _started(pid) != started and not _hidden(pid)


def _hidden(pid: str) -> bool:
    """Whether there is a process of whose start nothing can be read: another user's may be invisible in /proc."""
    if Path(f"/proc/{pid}").exists():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except (OSError, ValueError):
        return True
    return True
