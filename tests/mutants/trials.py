"""Trying a mutant: do its tests pass without the fault, and does one of them fail with it?"""

import re
import subprocess
import time
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from tests.mutants.entries import Mutant
from tests.mutants.places import Place

PASSED, FAILED = 0, 1
"""Exit statuses of pytest: all is well; some test failed."""
LONGEST_SECONDS = 900
TAIL_LINES = 25
_FAILED_TEST = re.compile(r"^(?:FAILED|ERROR) (\S+::.*?)(?: - .*)?$", re.MULTILINE)
_PASSED_TESTS = re.compile(r"\b[1-9]\d* passed\b")


class Fate(StrEnum):
    """The result of a mutant."""

    KILLED = "killed"
    SURVIVED = "survived"
    FAULTY = "faulty entry"


@dataclass(frozen=True, slots=True)
class Ended:
    """How pytest ended; no status where it was stopped because it took too long."""

    status: int | None
    output: str
    seconds: float

    @property
    def failed_test(self) -> str:
        """The first test that failed or could not be set up. A file that cannot be collected is none."""
        found = _FAILED_TEST.search(self.output)
        return found[1] if found else ""

    @property
    def is_green(self) -> bool:
        """Whether tests ran and all of them passed. Where all were skipped, none ran."""
        return self.status == PASSED and bool(_PASSED_TESTS.search(self.output))

    @property
    def tail(self) -> str:
        return "\n".join(self.output.splitlines()[-TAIL_LINES:])


@dataclass(frozen=True, slots=True)
class Trial:
    """`by` is the test that killed the mutant, or what is wrong; `output` explains any other fate."""

    mutant: Mutant
    fate: Fate
    by: str
    seconds: float
    output: str = ""

    def __str__(self) -> str:
        return f"{self.mutant.name}: {self.fate}{' by' if self.fate == Fate.KILLED else ''} {self.by}".rstrip()


def run_tests(place: Place, tests: tuple[str, ...], mutant: Mutant | None = None) -> Ended:
    """Run these tests on a fresh copy of the project, with the mutant's fault in it if there is one."""
    with place.copy(mutant) as copy:
        python = str(copy / ".venv" / "bin" / "python")
        # Not quieter than the project's own settings: a second -q takes away how many tests passed.
        return _ended([python, "-m", "pytest", "-x", "-p", "no:cacheprovider", *tests], copy, place)


def _ended(command: list[str], copy: Path, place: Place) -> Ended:
    began = time.monotonic()
    with (place.folder / "output").open("w+") as output:
        # A file, not a pipe: a process that a test leaves behind would keep a pipe open.
        pytest = subprocess.Popen(command, cwd=copy, env=place.environment(copy), stdout=output, stderr=output)
        status: int | None
        try:
            status = pytest.wait(LONGEST_SECONDS)
        except subprocess.TimeoutExpired:
            status = None
        output.seek(0)
        return Ended(status, output.read(), time.monotonic() - began)


def judged(mutant: Mutant, without: Ended, with_fault: Ended) -> Trial:
    """Compare the two runs of a mutant's tests."""
    if not without.is_green:
        return Trial(mutant, Fate.FAULTY, "its tests do not pass without it", without.seconds, without.tail)
    seconds = with_fault.seconds
    if with_fault.status == PASSED:
        return Trial(mutant, Fate.SURVIVED, "", seconds, with_fault.tail)
    if with_fault.status == FAILED and with_fault.failed_test:
        return Trial(mutant, Fate.KILLED, with_fault.failed_test, seconds)
    ended = "took too long" if with_fault.status is None else f"ended with status {with_fault.status}"
    return Trial(mutant, Fate.FAULTY, f"pytest {ended} and names no failed test", seconds, with_fault.tail)
