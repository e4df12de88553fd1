"""Run the checks and the demo on each supported Python of this machine: `python -m tests.trial.pythons`.

The Pythons come from PATH. PYTHONS names others: PYTHONS="/opt/python3.12/bin/python3 python3.13". Each Python gets a
copy of the tracked files in a temporary folder, with an environment and a database of its own. The table says whether
the demo printed the same figures as on the first Python.

The exit status is 1 when a step fails, when figures differ or when no Python is found. It is 2 when PYTHONS names
something else than a supported Python. A missing Python is listed and is no failure.
"""

import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

SUPPORTED = ("3.11", "3.12", "3.13")
ROOT = Path(__file__).resolve().parents[2]
# A copy has its own database and its own make, whatever the caller's are.
OF_THE_CALLER = ("DATABASE_URL", "READER_DATABASE_URL", "CELERY_BROKER_URL", "PLUMBLINE_VAR", "DJANGO_SETTINGS_MODULE")
OF_THE_CALLERS_MAKE = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "PYTHON", "PYTHONPATH", "VIRTUAL_ENV")
ROW = "{:<8} {:>9} {:>7} {:>7}  {}"
LAST_LINES = 30


@dataclass(frozen=True)
class Step:
    """How one command ended: whether it passed, its output, its errors and its seconds."""

    passed: bool
    output: str
    errors: str
    seconds: float


@dataclass(frozen=True)
class Trial:
    """The steps of one Python. Without a set-up there is no check and no demo."""

    version: str
    steps: dict[str, Step]


def minor_version(python: str) -> str:
    """Return a version such as "3.12", or an empty text when this is no Python that runs."""
    command = [python, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return ran.stdout.strip()


def absolute(python: str) -> str:
    """Return the path of a command, so that it works in any folder. Links stay: one may lead into an environment."""
    return str(Path(shutil.which(python) or python).absolute())


def find_pythons(named: Sequence[str]) -> dict[str, str]:
    """Return a Python for each supported version that runs here, by version: a named one, or else that of PATH."""
    found: dict[str, str] = {}
    for python in [*named, *(f"python{version}" for version in SUPPORTED)]:
        found.setdefault(minor_version(python), absolute(python))
    return {version: found[version] for version in SUPPORTED if version in found}


def copy_tracked_files(folder: Path) -> None:
    """Copy what a fresh clone would hold, with the edits of this checkout."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def environment() -> dict[str, str]:
    """Return the caller's variables without those that would lead out of the copy."""
    return {name: value for name, value in os.environ.items() if name not in (*OF_THE_CALLER, *OF_THE_CALLERS_MAKE)}


def run_make(folder: Path, *words: str) -> Step:
    """Run make in a copy and wait for its end."""
    began = time.monotonic()
    ran = subprocess.run(
        ["make", *words], cwd=folder, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    return Step(ran.returncode == 0, ran.stdout, ran.stderr, time.monotonic() - began)


def try_python(version: str, python: str) -> Trial:
    """Set up a copy of the project with one Python, check it and run its demo. The copy is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="plumbline-", ignore_cleanup_errors=True) as name:
        folder = Path(name) / "project"
        copy_tracked_files(folder)
        try:
            steps = {"set-up": run_make(folder, f"PYTHON={python}", "setup", ".venv/installed-dev")}
            if steps["set-up"].passed:
                steps |= {step: run_make(folder, step) for step in ("check", "demo")}
            return Trial(version, steps)
        finally:
            run_make(folder, "down")


def figures(text: str) -> list[str]:
    """Return the lines of the demo's text. Times are left out, because they differ between any two runs."""
    return [re.sub(r"\b[\d.,]+ s\b", "TIME", line) for line in text.splitlines()]


def differences(trial: Trial, first: Trial) -> list[str]:
    """Return the lines in which two demos differ, as a diff."""
    before, after = (figures(each.steps["demo"].output) for each in (first, trial))
    return list(difflib.unified_diff(before, after, first.version, trial.version, lineterm="", n=0))


def agreement(trial: Trial, first: Trial | None) -> str:
    """Return "yes" or "no" for two demos that passed, and "-" where there is nothing to compare."""
    if first is None or "demo" not in trial.steps or not trial.steps["demo"].passed:
        return "-"
    return "no" if differences(trial, first) else "yes"


def row(trial: Trial, first: Trial | None) -> str:
    """Return the line of the table for one Python."""
    seconds = {name: f"{step.seconds:.0f}" if step.passed else "failed" for name, step in trial.steps.items()}
    check = "-" if "check" not in trial.steps else "passed" if trial.steps["check"].passed else "failed"
    return ROW.format(
        trial.version, seconds["set-up"], check, seconds.get("demo", "-"), agreement(trial, first)
    ).rstrip()


def first_demo(trials: Sequence[Trial]) -> Trial | None:
    """Return the first trial whose demo passed: the others are compared with it."""
    return next((trial for trial in trials if "demo" in trial.steps and trial.steps["demo"].passed), None)


def table(trials: Sequence[Trial]) -> list[str]:
    """Return a line for each supported Python, also for those that are missing here."""
    rows = {trial.version: row(trial, first_demo(trials)) for trial in trials}
    missing = "missing: no python{0} runs here, and PYTHONS names none"
    head = ROW.format("Python", "set-up s", "check", "demo s", "figures agree")
    return [head, *(rows.get(version, f"{version:<8} {missing.format(version)}") for version in SUPPORTED)]


def failures(trial: Trial, first: Trial | None) -> list[str]:
    """Return the last lines of each step that failed, and the figures that differ."""
    lines: list[str] = []
    for name, step in trial.steps.items():
        if not step.passed:
            told = [*step.output.splitlines(), *step.errors.splitlines()]
            lines += ["", f"Python {trial.version}: {name} failed:", *told[-LAST_LINES:]]
    if agreement(trial, first) == "no" and first is not None:
        lines += ["", f"Python {trial.version}: the figures differ:", *differences(trial, first)]
    return lines


def main() -> int:
    """Try every Python, print the table and return the exit status."""
    named = os.environ.get("PYTHONS", "").split()
    wrong = [python for python in named if minor_version(python) not in SUPPORTED]
    if wrong:
        sys.stderr.write(f"PYTHONS names what is no Python {', '.join(SUPPORTED)} that runs: {', '.join(wrong)}\n")
        return 2
    trials: list[Trial] = []
    for version, python in find_pythons(named).items():
        sys.stderr.write(f"Python {version}: set-up, check and demo with {python} ...\n")
        trials.append(try_python(version, python))
    told = [line for trial in trials for line in failures(trial, first_demo(trials))]
    sys.stdout.write("\n".join([*table(trials), *told, ""]))
    return int(not trials or bool(told))


if __name__ == "__main__":
    sys.exit(main())
