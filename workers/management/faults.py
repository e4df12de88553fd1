"""The end of a command: its exit status, and one line on stderr for any fault."""

from collections.abc import Callable

from django.conf import settings
from django.core.management.base import OutputWrapper
from django.db import Error as DatabaseError
from django.db import OperationalError

from plumbline import disk_space, embedded
from plumbline.spec.errors import InputError
from workers.interrupts import interrupts
from workers.management.ending import FAILED, INTERRUPTED, WRONG_INPUT

UNDEFINED_TABLE = "42P01"


def status_of(command: Callable[[], int], stderr: OutputWrapper) -> int:
    """Run the command and return its status: 0 done, 1 the run failed, 2 the input was wrong, 130 interrupted."""
    try:
        with interrupts():
            return command()
    except InputError as error:
        message, status = f"error: {error}", WRONG_INPUT
    except DatabaseError as error:
        fault, status = database_fault(error)
        message = f"error: {fault}"
    except KeyboardInterrupt as error:
        message, status = str(error) or "interrupted", INTERRUPTED
    stderr.write(message)
    return status


def database_fault(error: Exception) -> tuple[str, int]:
    """Return one line about a database fault, and the exit status.

    A full disk stops the embedded server without an explanation, so the free space is checked here.
    """
    if embedded.database_url(settings.VAR_DIR) == settings.DATABASE_URL and (
        full := disk_space.fault(settings.VAR_DIR)
    ):
        return f"{full}; 'audit list' shows the run, 'audit resume RUN' continues it.", WRONG_INPUT
    if getattr(error.__cause__, "sqlstate", "") == UNDEFINED_TABLE:
        return "the database is not set up: run 'manage.py migrate' first.", WRONG_INPUT
    told = f"the database: {' '.join(str(error).split())}"
    return told, WRONG_INPUT if isinstance(error, OperationalError) else FAILED
