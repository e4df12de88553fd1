"""The process of an inline run: a run that no other worker may touch while that process lives."""

import os
import socket
from pathlib import Path


def _started(pid: str) -> str:
    """When the process started, so that a reused pid is not taken for it; empty when there is no such process."""
    try:
        state, *fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ""
    # A killed process whose parent does not care stays in the table as a zombie, in some containers for ever.
    return "" if state in "ZX" else fields[18]


def this_process() -> str:
    """Host, pid and start of this process: the name under which it owns runs and leases work."""
    pid = str(os.getpid())
    return f"{socket.gethostname()}:{pid}:{_started(pid)}"


def is_gone(owner: str) -> bool:
    """Whether the process surely lives no more: it ran on this host, and its pid is free or belongs to another."""
    host, pid, started = owner.rsplit(":", 2) if owner.count(":") >= 2 else ("", "", "")
    return host == socket.gethostname() and _started(pid) != started
