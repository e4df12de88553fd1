"""What a fault of the database means to the person at the command line."""

import shutil

from django.conf import settings

from plumbline import embedded
from workers.management.inline import FAILED, WRONG_INPUT

# A WAL segment is 16 MB: with less than a few of them PostgreSQL stops in the middle of its work.
NEARLY_FULL = 64 * 2**20


def database_fault(error: Exception) -> tuple[str, int]:
    """One line, and the exit status. A full disk under the embedded server stops it without saying why: so ask."""
    free = shutil.disk_usage(settings.VAR_DIR).free
    if embedded.database_url(settings.VAR_DIR) == settings.DATABASE_URL and free < NEARLY_FULL:
        full = (
            f"the disk of {settings.VAR_DIR} is full ({free // 2**20} MB left) and the database on it stopped:"
            " free some space; 'audit list' shows the run, 'audit resume RUN' goes on with it."
        )
        return full, WRONG_INPUT
    return f"the database: {' '.join(str(error).split())}", FAILED
