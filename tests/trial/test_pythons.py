"""What the trial of the Pythons reports, with made-up interpreters and steps."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.trial import pythons
from tests.trial.pythons import Step, Trial

HERE = "{}.{}".format(*sys.version_info)
DEMO = "egotistic -2.43 [-3.07, -1.87] n = 19 q = 0.0011\nrun 1 done 5,240 items {} s\n"


def step(output: str = "", *, passed: bool = True, errors: str = "") -> Step:
    return Step(passed, output, errors, 12.0)


def trial(version: str, demo: Step, check: Step | None = None) -> Trial:
    return Trial(version, {"set-up": step(), "check": check or step(), "demo": demo})


FIRST = trial("3.11", step(DEMO.format("14.2")))


def test_a_python_that_does_not_run_counts_as_missing(tmp_path: Path) -> None:
    shim = tmp_path / "python3.12"
    shim.write_text("#!/bin/sh\necho 3.12\nexit 127\n")
    shim.chmod(0o755)
    assert pythons.minor_version(str(shim)) == ""
    assert pythons.minor_version(str(tmp_path / "nothing")) == ""
    assert pythons.minor_version(sys.executable) == HERE


def test_a_python_that_is_named_comes_before_the_one_on_the_path() -> None:
    assert pythons.find_pythons([sys.executable])[HERE] == sys.executable


def test_a_name_that_is_no_supported_python_ends_the_trial(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PYTHONS", f"{sys.executable} /nowhere/python3.12")
    assert pythons.main() == 2
    assert capsys.readouterr().err.endswith("that runs: /nowhere/python3.12\n")


def test_times_are_no_figures() -> None:
    assert pythons.agreement(trial("3.12", step(DEMO.format("61.0"))), FIRST) == "yes"


def test_a_figure_that_differs_is_shown() -> None:
    other = trial("3.12", step(DEMO.format("14.2").replace("-2.43", "-2.44")))
    assert pythons.agreement(other, FIRST) == "no"
    assert "+egotistic -2.44 [-3.07, -1.87] n = 19 q = 0.0011" in pythons.failures(other, FIRST)


def test_the_last_lines_of_a_failed_step_are_shown() -> None:
    failed = trial("3.13", step(), check=step("mypy\n" * 99, passed=False, errors="make: Error 1"))
    told = pythons.failures(failed, FIRST)
    assert "Python 3.13: check failed:" in told
    assert told.count("mypy") == pythons.LAST_LINES - 1
    assert "make: Error 1" in told


def test_the_table_names_every_supported_python() -> None:
    unset = Trial("3.13", {"set-up": step(passed=False)})
    assert pythons.table([FIRST, unset]) == [
        "Python    set-up s   check  demo s  figures agree",
        "3.11            12  passed      12  yes",
        "3.12     missing: no python3.12 runs here, and PYTHONS names none",
        "3.13        failed       -       -  -",
    ]


@pytest.mark.parametrize(
    ("found", "demo", "status"),
    [
        ({"3.11": "a"}, step(DEMO), 0),
        ({"3.11": "a", "3.12": "b"}, step(DEMO), 0),
        ({"3.11": "a"}, step(DEMO, passed=False), 1),
        ({}, step(DEMO), 1),
    ],
)
def test_the_exit_status_shows_a_failure(
    monkeypatch: pytest.MonkeyPatch, found: dict[str, str], demo: Step, status: int
) -> None:
    monkeypatch.delenv("PYTHONS", raising=False)
    monkeypatch.setattr(pythons, "find_pythons", lambda _named: found)
    monkeypatch.setattr(pythons, "try_python", lambda version, _python: trial(version, demo))
    assert pythons.main() == status


@pytest.mark.skipif(not shutil.which("git") or not (pythons.ROOT / ".git").exists(), reason="this is no git checkout")
def test_a_copy_holds_the_tracked_files_and_leaves_the_caller_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://somebody/else")
    monkeypatch.setenv("PIP_INDEX_URL", "https://example.org/simple")
    pythons.copy_tracked_files(tmp_path)
    assert (tmp_path / "Makefile").read_text() == (pythons.ROOT / "Makefile").read_text()
    assert not (tmp_path / ".venv").exists()
    assert "DATABASE_URL" not in pythons.environment()
    assert pythons.environment()["PIP_INDEX_URL"] == "https://example.org/simple"
