"""How a worker of the pool deals with what goes wrong: another process tries, until the third attempt."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import ProgrammingError

from plumbline.audits import leases, life
from plumbline.audits.launching import launch
from plumbline.audits.models import MOST_ATTEMPTS, Run, Shard
from plumbline.audits.states import Queue, RunState
from plumbline.results import reading
from plumbline.spec.audit import parse
from plumbline.spec.errors import OutOfMemoryError
from tests.workers.execution.conftest import Silent
from tests.workers.execution.spec import ilps
from workers.execution import Worker, drive, serve
from workers.execution.worker_loop import WorkerSpentError
from workers.probes.association.probe import AssociationProbe

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(tiny_folders: tuple[Path, Path]) -> Run:
    return launch(parse(ilps(tiny_folders[0])), reuse=False)


def served(seconds: float = 60) -> bool:
    """A new process of the pool serves for a while."""
    return serve(Worker("anna", Silent(), owner=""), Queue.values, "cpu", seconds)


def failing(monkeypatch: pytest.MonkeyPatch, fault: Callable[[], Any]) -> None:
    monkeypatch.setattr(AssociationProbe, "execute", lambda *_: fault())


def raising(error: Exception) -> Callable[[], Any]:
    def fault() -> Any:
        raise error

    return fault


@pytest.mark.parametrize(
    "error", [RuntimeError("CUDA error: unspecified launch failure"), OutOfMemoryError("too large"), MemoryError()]
)
def test_a_sick_process_ends_and_the_next_one_finishes_the_run(
    run: Run, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    with monkeypatch.context() as sick:
        failing(sick, raising(error))
        with pytest.raises(WorkerSpentError):
            served()
    run.refresh_from_db()
    assert run.state == RunState.RUNNING
    assert not served()
    run.refresh_from_db()
    assert (run.state, len(reading.read(run.pk))) == (RunState.DONE, 4)


@pytest.mark.parametrize("asked", ["take_next_shard", "attempts"])
def test_memory_that_ends_outside_of_the_work_costs_the_process_and_not_the_run(
    run: Run, monkeypatch: pytest.MonkeyPatch, asked: str
) -> None:
    with monkeypatch.context() as sick:
        failing(sick, raising(MemoryError()))
        sick.setattr(leases, asked, lambda *_: raising(MemoryError())())
        with pytest.raises(WorkerSpentError):
            served()
    run.refresh_from_db()
    assert run.state == RunState.RUNNING
    Shard.objects.filter(run=run, token__isnull=False).update(lease_until=None)
    assert not served()
    run.refresh_from_db()
    assert run.state == RunState.DONE


def test_what_fails_in_every_process_fails_the_run_with_its_traceback(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    failing(monkeypatch, raising(ZeroDivisionError("ours")))
    for _ in range(MOST_ATTEMPTS - 1):
        with pytest.raises(WorkerSpentError):
            served()
    served()
    run.refresh_from_db()
    assert (run.state, run.expected, run.error) == (RunState.FAILED, False, "ZeroDivisionError: ours")
    assert "ZeroDivisionError" in run.traceback


def cut_in_two(*_: object) -> Any:
    """An interrupt in the middle of a statement, and what becomes of the one after it."""
    try:
        raise KeyboardInterrupt
    finally:
        raise ProgrammingError("can't change 'autocommit' now: connection in transaction status ACTIVE")


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("empty_results")
def test_an_interrupt_that_comes_out_as_an_error_of_what_tidied_up_is_one(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as stopping:
        failing(stopping, cut_in_two)
        with pytest.raises(KeyboardInterrupt):
            served()
    assert set(Shard.objects.filter(run=run).values_list("attempts", "token")) == {(0, None)}
    served()
    run.refresh_from_db()
    assert run.state == RunState.DONE


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("empty_results")
@pytest.mark.parametrize("between", ["current_phase", "advance"])
def test_an_interrupt_between_two_pieces_of_work_cancels_a_run_of_the_command_line(
    tiny_folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, between: str
) -> None:
    mine = launch(parse(ilps(tiny_folders[0])), owner="me", reuse=False)
    monkeypatch.setattr(life, between, cut_in_two)
    with pytest.raises(KeyboardInterrupt):
        drive(mine.pk, Worker("me", Silent()))
    mine.refresh_from_db()
    assert (mine.state, f"audit resume {mine.pk}" in mine.error) == (RunState.CANCELLED, True)


def test_wrong_words_fail_the_run_at_once(run: Run) -> None:
    nowhere = "path:/nowhere/at/all"
    Run.objects.filter(pk=run.pk).update(model=nowhere, spec=run.spec | {"model": nowhere})
    served()
    run.refresh_from_db()
    assert (run.state, run.expected) == (RunState.FAILED, True)


def test_who_lost_the_work_ends_nobodys_run_even_without_memory(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def taken_over() -> Any:
        Shard.objects.update(attempts=MOST_ATTEMPTS - 1, lease_until=None)
        phase = life.current_phase(run.pk)
        assert phase is not None
        assert leases.take_next_shard(phase, "ben")
        raise MemoryError

    failing(monkeypatch, taken_over)
    served(0)
    run.refresh_from_db()
    served(0)
    assert run.state != RunState.FAILED


def test_shards_of_a_phase_that_is_not_open_are_nobodys(run: Run) -> None:
    scoring = run.phases.get(position=1)
    Shard.objects.create(run=run, phase=scoring, number=0, key="0" * 64, items=[], planned_rows={}, state="ready")
    assert leases.take_next_shard(scoring, "anna") is None


def test_a_worker_leaves_the_phases_of_other_queues_to_others(run: Run) -> None:
    """Also while it stays with a run whose last shard it did itself."""
    assert not serve(Worker("anna", Silent(), owner=""), [Queue.GPU], "cpu", 60)
    assert list(run.phases.values_list("name", "state")) == [
        ("planning", "done"),
        ("scoring", "done"),
        ("summary", "ready"),
    ]
    assert not serve(Worker("ben", Silent(), owner=""), [Queue.CPU], "cpu", 60)
    run.refresh_from_db()
    assert run.state == RunState.DONE
