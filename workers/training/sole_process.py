"""One process at a time trains in a folder: two would write into the same checkpoint."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from plumbline.spec.errors import InputError

LOCK = "lock"


@contextmanager
def sole_process(folder: Path) -> Iterator[None]:
    """Hold the folder's lock, which a killed process loses. Raises InputError while another process holds it."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / LOCK).open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InputError(
                f"another process is training in {folder}: wait until it ends, or choose another --name"
            ) from error
        yield
