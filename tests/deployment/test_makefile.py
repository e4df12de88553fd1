"""Which Python `make` sets .venv up with, on machines of made-up interpreters."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.deployment.conftest import ROOT
from tests.trial.pythons import SUPPORTED

MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
WORKS = f'exec {sys.executable} "$@"'
# The shim of a version manager stands on PATH for every version that it knows, and fails for all but one of them.
FAILS = "echo 'command not found' >&2; exit 127"
WITHOUT_VENV = f'exec {sys.executable} -c "import sys; sys.modules[\'ensurepip\'] = None; exec(sys.argv[2])" "$@"'
TOO_OLD = f'exec {sys.executable} -c "import sys, venv; sys.version_info = (3, 10, 13); exec(sys.argv[2])" "$@"'

Made = subprocess.CompletedProcess[str]
Make = Callable[..., Made]


def interpreter(file: Path, what: str) -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"#!/bin/sh\n{what}\n", encoding="utf-8")
    file.chmod(0o755)
    return file


@pytest.fixture
def make(tmp_path: Path) -> Make:
    """`make` in a folder without .venv, where PATH has the given interpreters alone."""
    (tmp_path / "Makefile").write_text(MAKEFILE, encoding="utf-8")
    for named_by_a_rule in ("pyproject.toml", "requirements.lock"):
        (tmp_path / named_by_a_rule).touch()
    program = shutil.which("make") or pytest.fail("make is not on PATH")

    def run(*words: str, **interpreters: str) -> Made:
        for name, what in interpreters.items():
            interpreter(tmp_path / "bin" / name.replace("_", "."), what)
        alone = {"PATH": str(tmp_path / "bin")}
        return subprocess.run([program, *words], cwd=tmp_path, env=alone, capture_output=True, text=True)

    return run


def chosen(made: Made) -> str:
    assert made.returncode == 0, made.stderr
    return made.stdout.partition(":")[0]


def test_the_newest_is_chosen(make: Make) -> None:
    assert chosen(make("python", python3_11=WORKS, python3_12=WORKS, python3_13=WORKS)) == "python3.13"


@pytest.mark.parametrize("broken", [FAILS, WITHOUT_VENV, TOO_OLD])
def test_one_that_cannot_make_an_environment_is_passed_over(make: Make, broken: str) -> None:
    assert chosen(make("python", python3_11=WORKS, python3_12=WORKS, python3_13=broken)) == "python3.12"


def test_the_environment_is_made_with_the_chosen_one(make: Make) -> None:
    assert "|| python3.11 -m venv .venv" in make("-n", "test", python3_11=WORKS, python3_12=FAILS).stdout


@pytest.mark.parametrize("others", [{}, {"python3_13": FAILS}, {"python3_12": WITHOUT_VENV}])
def test_without_any_one_sentence_says_what_to_install(make: Make, others: dict[str, str]) -> None:
    made = make("test", **others)
    assert (made.returncode, made.stdout) == (2, "")
    [line] = made.stderr.splitlines()
    assert "Plumbline needs Python 3.11, 3.12 or 3.13, and none of them runs here. Install one" in line


def test_one_that_is_named_is_taken(make: Make) -> None:
    assert chosen(make("PYTHON=python3.12", "python", python3_12=WORKS, python3_13=WORKS)) == "python3.12"


@pytest.mark.parametrize("broken", [FAILS, WITHOUT_VENV, TOO_OLD])
def test_one_that_is_named_and_does_not_fit_is_refused(make: Make, broken: str) -> None:
    made = make("PYTHON=python3.12", "setup", python3_12=broken, python3_13=WORKS)
    assert made.returncode == 2
    assert "PYTHON=python3.12 is not a Python 3.11, 3.12 or 3.13 that runs" in made.stderr
    assert "setting up" not in made.stdout


def test_an_environment_that_is_there_stays_in_use(make: Make, tmp_path: Path) -> None:
    interpreter(tmp_path / ".venv/bin/python", WORKS)
    assert chosen(make("python", python3_13=WORKS)) == ".venv/bin/python"


def test_a_named_one_of_the_same_version_agrees_with_it(make: Make, tmp_path: Path) -> None:
    interpreter(tmp_path / ".venv/bin/python", WORKS)
    assert chosen(make("PYTHON=python3.12", "python", python3_12=WORKS)) == ".venv/bin/python"


@pytest.mark.parametrize("target", ["python", "setup", "demo", "test", "check", "format", "up"])
def test_a_named_one_of_another_version_is_refused_with_the_remedy(make: Make, tmp_path: Path, target: str) -> None:
    interpreter(tmp_path / ".venv/bin/python", "echo 3.10")
    (tmp_path / ".venv/installed-dev").touch()
    made = make("PYTHON=python3.12", target, python3_12=WORKS)
    assert made.returncode == 2
    assert "but .venv was made with Python 3.10. Remove .venv" in made.stderr


@pytest.mark.parametrize(("answer", "asked"), [('{"vulnerabilities": []}', True), ('{"info": {}}', False), ("", False)])
def test_libraries_are_audited_only_by_a_feed_that_knows_versions(
    make: Make, tmp_path: Path, answer: str, asked: bool
) -> None:
    feed = tmp_path / "feed.json"
    feed.write_text(answer, encoding="utf-8")
    interpreter(tmp_path / ".venv/bin/python", WORKS)
    interpreter(tmp_path / ".venv/bin/pip-audit", "echo audited")
    for stamp in ("installed", "installed-dev"):
        (tmp_path / ".venv" / stamp).touch()
    made = make(f"FEED={feed.as_uri()}", "audit-dependencies")
    assert (made.returncode, made.stdout) == ((0, "audited\n") if asked else (2, ""))
    assert asked or made.stderr.startswith(f"Nothing was checked: the feed of vulnerabilities ({feed.as_uri()})")


def test_it_offers_what_the_project_supports() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11,<3.14"
    assert "(3, 11) <= sys.version_info < (3, 14)" in MAKEFILE
    [candidates] = re.findall(r"^NEWEST = .* for python in (.*?);", MAKEFILE, re.MULTILINE)
    assert candidates.split() == [f"python{version}" for version in reversed(SUPPORTED)]
