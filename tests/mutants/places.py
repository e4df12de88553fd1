"""Where mutants are tried, one after the other: a folder with a database server of its own."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from tests.mutants.copies import make_copy, make_pristine
from tests.mutants.entries import ROOT, Mutant

NOT_INHERITED = ("DATABASE_URL", "CELERY_BROKER_URL", "LOG_LEVEL", "PYTEST_ADDOPTS", "VIRTUAL_ENV")
END_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Place:
    """`folder` holds the server's data, the temporary files of the tests, the pristine files and one copy at a time."""

    folder: Path

    @property
    def pristine(self) -> Path:
        return self.folder / "pristine"

    @property
    def temporary(self) -> Path:
        """One folder for all trials: the address of the server follows from it."""
        return self.folder / "tmp"

    def environment(self, root: Path) -> dict[str, str]:
        """Return the environment of programs that run the code under `root`."""
        inherited = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        return inherited | {
            "PYTHONPATH": f"{root / 'platform'}:{root}",
            "PLUMBLINE_VAR": str(self.folder / "var"),
            "TMPDIR": str(self.temporary),
        }

    @contextmanager
    def copy(self, mutant: Mutant | None) -> Iterator[Path]:
        """Yield a copy of the project. At the end it is removed, with all processes that its tests left."""
        folder = self.folder / "copy"
        try:
            yield make_copy(self.pristine, folder, mutant)
        finally:
            self.end_processes()
            shutil.rmtree(folder, ignore_errors=True)

    def end_processes(self) -> None:
        """End what the tests of a mutant left: it may be just the fault that something does not end."""
        left = [process for process in psutil.process_iter() if self._is_left(process)]
        for process in left:
            with suppress(psutil.Error):
                process.terminate()
        for process in psutil.wait_procs(left, timeout=END_SECONDS)[1]:
            with suppress(psutil.Error):
                process.kill()

    def _is_left(self, process: psutil.Process) -> bool:
        """Whether it was started for the tests of this place and is not of the server that all trials use."""
        with suppress(psutil.Error):
            started_here = process.environ().get("TMPDIR") == str(self.temporary)
            return started_here and not Path(process.cwd()).is_relative_to(self.folder / "var")
        return False

    def database(self, action: str) -> None:
        """Start or stop the embedded server, with the code as it is."""
        command = [sys.executable, "manage.py", "db", action]
        subprocess.run(command, cwd=ROOT, env=self.environment(ROOT), check=True, stdout=subprocess.DEVNULL)


@contextmanager
def opened_place() -> Iterator[Place]:
    """Yield a place whose server runs; nothing of it is left at the end."""
    place = Place(Path(tempfile.mkdtemp(prefix="plumbline-mutants-")))
    place.temporary.mkdir()
    try:
        make_pristine(place.pristine)
        place.database("start")
        yield place
    finally:
        place.database("stop")
        shutil.rmtree(place.folder, ignore_errors=True)
