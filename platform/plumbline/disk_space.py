"""A full disk below the embedded database, named in one line.

PostgreSQL stops without an explanation when its disk is full, so the free space is checked here.
"""

import shutil
from pathlib import Path

# A WAL segment has 16 MB. With space for only a few of them, PostgreSQL stops during its work.
NEARLY_FULL = 64 * 2**20


def fault(folder: Path) -> str:
    """Return what is wrong with the disk of a folder and the remedy, or "" while there is space."""
    there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
    free = shutil.disk_usage(there).free
    if free >= NEARLY_FULL:
        return ""
    return f"the disk of {folder} is full ({free // 2**20} MB left) and the database on it stopped: free some space"
