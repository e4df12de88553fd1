"""Outages of the database: how they differ from faults, and how long a worker waits."""

import time

from django.db import Error, connection
from django.db.utils import InterfaceError, OperationalError
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

ASK_EVERY_SECONDS = 0.5
PASSING = ("08", "25P03", "40001", "40P01", "53300", "57P01", "57P02", "57P03")
"""SQLSTATEs, or their beginnings, of broken connections, transactions that the server ended because this process stood
still or because it cancelled them for others, too many clients, and servers that stop, crashed or start."""


def passes(error: Error) -> bool:
    """Return whether the same work may succeed later.

    The error decides, not the connection, because Django may have opened a new one by now. A missing answer has no
    SQLSTATE, since it is the client's own error.
    """
    state = getattr(error.__cause__, "sqlstate", None)
    if state is None:
        return isinstance(error, (OperationalError, InterfaceError))
    return str(state).startswith(PASSING)


def wait_until_over(patience: float) -> bool:
    """Wait until the database answers; return whether it had been away for longer than a moment.

    Raises its error when it does not answer within `patience` seconds.
    """
    time.sleep(ASK_EVERY_SECONDS)
    asking = Retrying(
        wait=wait_fixed(ASK_EVERY_SECONDS),
        stop=stop_after_delay(patience),
        retry=retry_if_exception_type(Error),
        reraise=True,
    )
    asking(_ask)
    return bool(asking.statistics["attempt_number"] > 1)


def _ask() -> None:
    connection.close()
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
