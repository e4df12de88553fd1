"""What the sessions of the database are doing."""

from typing import Any

from django.db import connection


def blocked() -> int:
    """How many wait for a lock that somebody else holds."""
    return int(_ask("count(*)", "wait_event_type = 'Lock'"))


def in_transactions() -> int:
    """How many others have begun something and not ended it."""
    return int(
        _ask("count(*)", "xact_start IS NOT NULL AND backend_type = 'client backend' AND pid <> pg_backend_pid()")
    )


def longest_idle_transaction() -> float:
    """In seconds. The server cannot clean up behind one that is open for hours."""
    age = "coalesce(extract(epoch FROM max(clock_timestamp() - xact_start)), 0)"
    return float(_ask(age, "state LIKE 'idle in transaction%'"))


def _ask(what: str, which: str) -> Any:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {what} FROM pg_stat_activity WHERE {which}")  # noqa: S608 -- no input
        return cursor.fetchone()[0]
