"""What is told while workers execute a run: why it waits, and that no scheduler is alive, each once."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plumbline.audits import life
from plumbline.audits.launching import launch
from plumbline.audits.models import Role, Run, WorkerProcess
from plumbline.audits.presence import NO_SCHEDULER, NOBODY, Presence
from plumbline.spec.audit import parse
from plumbline.spec.yaml_file import read_yaml
from workers.management import following
from workers.management.console import Console

pytestmark = pytest.mark.django_db

Told = Callable[..., list[str]]


@pytest.fixture
def told(write_spec: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Told:
    """Follow a new run while things happen, one between two looks at it; the lines that this gave."""

    def follow(*happenings: Callable[[], object]) -> list[str]:
        run = launch(parse(read_yaml(write_spec())))
        left: Iterator[Callable[[], object]] = iter([*happenings, lambda: life.cancel(run.pk)])
        monkeypatch.setattr("workers.management.following.time.sleep", lambda _: next(left)())
        capsys.readouterr()
        following.follow(run.pk, Console())
        _, *lines, end = capsys.readouterr().err.splitlines()
        assert end == f"run {run.pk} cancelled: cancelled on request"
        return lines

    return follow


def comes(role: Role, *queues: str) -> Callable[[], None]:
    return Presence(f"far:{role}:1", role, queues, "cpu").tell


def goes(role: Role) -> Callable[[], object]:
    return WorkerProcess.objects.filter(role=role).delete


def nothing() -> None: ...


def test_why_the_run_waits_is_reported_once_and_again_when_it_changes(told: Told) -> None:
    comes(Role.SCHEDULER)()
    lines = told(
        nothing, comes(Role.WORKER, "cpu"), nothing, comes(Role.WORKER, "gpu"), nothing, goes(Role.WORKER), nothing
    )
    waits = "no living worker (of 1) serves the queue gpu: 'manage.py worker' starts one that does; the run waits"
    dead = f"{NOBODY}; the run waits"
    assert lines == ["planning ...", dead, waits, "a worker is available: the run continues", dead]


def test_a_run_of_another_device_waits(told: Told) -> None:
    comes(Role.SCHEDULER)()
    comes(Role.WORKER, "gpu")()
    lines = told(lambda: Run.objects.update(provenance={"device": "cuda"}), nothing)
    assert lines[0] == "planning ..."
    assert lines[1].startswith("it was planned on cuda, which no living worker of the queue gpu has")
    assert len(lines) == 2


def test_that_no_scheduler_is_alive_is_reported_once(told: Told) -> None:
    comes(Role.WORKER, "gpu", "cpu")()
    lines = told(nothing, nothing, comes(Role.SCHEDULER), nothing)
    assert lines == ["planning ...", NO_SCHEDULER, "a scheduler is alive again"]
