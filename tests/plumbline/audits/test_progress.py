"""How far a run is."""

from datetime import timedelta

import pytest
from django.db.models import Value

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.models import Phase, Role, Run, Shard, WorkerState
from plumbline.audits.presence import Presence
from plumbline.audits.progress import progress
from plumbline.audits.states import RunState, WorkState


@pytest.fixture
def half_done(run: Run, scoring: Phase) -> Run:
    """Three shards of 100 items; the first took ten seconds and ended just now."""
    Shard.objects.update(size=100)
    Shard.objects.filter(number=0).update(state=WorkState.DONE, seconds=10.0, done_at=ClockTimestamp())
    Run.objects.filter(pk=run.pk).update(planned_items=300, state=RunState.RUNNING)
    run.refresh_from_db()
    return run


def test_items_pace_and_time_left_follow_from_the_shards_that_ended(half_done: Run) -> None:
    found = progress(half_done)
    assert (found.items_done, found.items) == (100, 300)
    assert found.pace == pytest.approx(10, rel=0.05)
    assert found.seconds_left == pytest.approx(20, rel=0.05)


def test_each_phase_says_how_many_of_its_pieces_are_done(half_done: Run) -> None:
    planning, scoring, summary = progress(half_done).phases
    assert (planning.pieces_done, planning.pieces) == (1, 1)
    assert (scoring.pieces_done, scoring.pieces, scoring.items_done, scoring.items) == (1, 3, 100, 300)
    assert (summary.state, summary.pieces_done) == (WorkState.WAITING, 0)


def test_the_phases_come_in_their_order_wherever_their_rows_lie(half_done: Run) -> None:
    for phase in half_done.phases.order_by("position"):
        Phase.objects.filter(pk=phase.pk).update(attempts=1 - phase.position % 2)
    assert [phase.name for phase in progress(half_done).phases] == ["planning", "scoring", "summary"]


def test_copied_shards_do_not_count_for_the_pace(half_done: Run) -> None:
    Shard.objects.filter(number=0).update(rows_reused=100, reused_from=Shard.objects.get(number=1))
    found = progress(half_done)
    assert (found.items_done, found.pace, found.seconds_left) == (100, None, None)


def test_old_shards_do_not_count_for_the_pace(half_done: Run) -> None:
    Shard.objects.filter(number=0).update(done_at=ClockTimestamp() - Value(timedelta(minutes=5)))
    assert progress(half_done).pace is None


def test_what_workers_have_done_of_their_shards_counts(half_done: Run) -> None:
    one = Presence("far:1:2", Role.WORKER)
    one.says(state=WorkerState.WORKING, run_id=half_done.pk, doing="shard 1", items=40)
    one.tell()
    found = progress(half_done)
    assert (found.items_done, found.alive, len(found.workers)) == (140, 1, 1)
    assert found.seconds_left == pytest.approx(16, rel=0.05)


def test_nobody_alive_is_said(half_done: Run) -> None:
    found = progress(half_done)
    assert (found.alive, found.workers, found.scheduler) == (0, [], False)
    assert found.waits.startswith("no worker is alive")


def alive(device: str, *queues: str) -> None:
    Presence("far:1:2", Role.WORKER, queues, device).tell()


def test_shards_wait_for_a_worker_of_their_queue_on_the_device_of_the_plan(half_done: Run) -> None:
    alive("cpu", "cpu")
    assert "serves the queue gpu" in progress(half_done).waits
    alive("cpu", "gpu")
    assert progress(half_done).waits == ""
    half_done.provenance = {"device": "cuda"}
    assert "planned on cuda" in progress(half_done).waits
    alive("cuda", "gpu")
    assert progress(half_done).waits == ""


def test_a_summary_waits_for_its_queue_on_any_device(half_done: Run) -> None:
    half_done.provenance = {"device": "cuda"}
    half_done.phases.exclude(name="summary").update(state=WorkState.DONE)
    alive("cpu", "cpu")
    assert progress(half_done).waits == ""
    alive("cuda", "gpu")
    assert "serves the queue cpu" in progress(half_done).waits


def test_a_run_that_ended_or_has_its_own_process_waits_for_nobody(half_done: Run) -> None:
    half_done.owner = "far:1:2"
    assert progress(half_done).waits == ""
    half_done.owner, half_done.state = "", RunState.CANCELLED
    assert progress(half_done).waits == ""


def test_an_ended_run_has_no_pace(half_done: Run) -> None:
    half_done.state = RunState.CANCELLED
    assert progress(half_done).seconds_left is None
