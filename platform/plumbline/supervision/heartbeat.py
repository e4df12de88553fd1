"""Whether a process of this host lives: `python -m plumbline.supervision.heartbeat worker|scheduler`, for a probe.

Without Django, because an orchestrator asks every minute. A database that does not answer is no fault of the process,
which waits for it, so the answer is then 0.
"""

import os
import socket
import sys

import psycopg

SILENT_SECONDS = 120
"""A busy machine delays heartbeats; a process that is silent this long hangs."""
CONNECT_SECONDS = 10
LAST = (
    "SELECT extract(epoch FROM clock_timestamp() - max(seen_at))::float FROM audits_workerprocess"
    " WHERE role = %s AND starts_with(name, %s)"
)


def silence(connection: psycopg.Connection, role: str) -> float | None:
    """Return the seconds since the last heartbeat of a process of this host, or None without any."""
    row = connection.execute(LAST, [role, f"{socket.gethostname()}/"]).fetchone()
    return row[0] if row else None


def main(role: str, address: str) -> int:
    """Return the exit status: 1 if the process hangs or has no row, with the reason on stderr."""
    try:
        with psycopg.connect(address, connect_timeout=CONNECT_SECONDS) as connection:
            seconds = silence(connection, role)
    except psycopg.Error as error:
        sys.stderr.write(f"the database gives no answer, so nothing is known: {error}\n")
        return 0
    if seconds is not None and seconds <= SILENT_SECONDS:
        return 0
    told = "never wrote a heartbeat" if seconds is None else f"wrote its last heartbeat {seconds:.0f} seconds ago"
    sys.stderr.write(f"the {role} of {socket.gethostname()} {told}\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], os.environ["DATABASE_URL"]))
