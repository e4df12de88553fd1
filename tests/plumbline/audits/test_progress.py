"""How far a run is."""

from datetime import timedelta

import pytest
from django.db.models import Value

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.launching import launch
from plumbline.audits.models import Phase, Role, Run, Shard, WorkerProcess, WorkerState
from plumbline.audits.presence import Presence
from plumbline.audits.progress import progress
from plumbline.audits.states import RunState, WorkState
from plumbline.spec.audit import parse
from tests.plumbline.audits.conftest import SPEC, lay_out


@pytest.fixture
def half_done(run: Run, scoring: Phase) -> Run:
    """Three shards of 100 items; the first took ten seconds and ended just now."""
    Shard.objects.update(size=100)
    Shard.objects.filter(number=0).update(state=WorkState.DONE, seconds=10.0, done_at=ClockTimestamp())
    Run.objects.filter(pk=run.pk).update(planned_items=300, state=RunState.RUNNING)
    run.refresh_from_db()
    return run


def works(run: Run, *, items: int = 0, seconds: float = 0, name: str = "far:1:2") -> None:
    """Let a living worker have done so many items of the run's next shard within so many seconds."""
    one = Presence(name, Role.WORKER)
    one.says(state=WorkerState.WORKING, run_id=run.pk, doing="shard 1", items=items)
    one.tell()
    since = ClockTimestamp() - Value(timedelta(seconds=seconds))
    WorkerProcess.objects.filter(name=name).update(doing_since=since)


def counted(items: int, seconds: float) -> None:
    """Let the living worker have counted so many items within so many seconds, after the first ones."""
    WorkerProcess.objects.update(counted_items=items, counted_seconds=seconds)


def test_items_pace_and_time_left_follow_from_the_shards_that_ended(half_done: Run) -> None:
    works(half_done)
    found = progress(half_done)
    assert (found.items_done, found.items) == (100, 300)
    assert found.pace == pytest.approx(10, rel=0.05)
    assert found.seconds_left == pytest.approx(20, rel=0.05)


def test_a_run_whose_items_are_all_answered_says_that_it_still_stores_the_last_ones(half_done: Run) -> None:
    works(half_done, items=199)
    assert not progress(half_done).is_storing
    works(half_done, items=200)
    assert progress(half_done).is_storing
    Shard.objects.update(state=WorkState.DONE, done_at=ClockTimestamp())
    assert not progress(half_done).is_storing


def test_each_phase_says_how_many_of_its_pieces_are_done(half_done: Run) -> None:
    planning, scoring, summary = progress(half_done).phases
    assert (planning.pieces_done, planning.pieces) == (1, 1)
    assert (scoring.pieces_done, scoring.pieces, scoring.items_done, scoring.items) == (1, 3, 100, 300)
    assert (summary.state, summary.pieces_done) == (WorkState.WAITING, 0)


def test_shards_that_were_begun_again_are_counted(half_done: Run) -> None:
    assert progress(half_done).begun_again == 0
    Shard.objects.filter(number=0).update(attempts=1)
    Shard.objects.filter(number__in=(1, 2)).update(attempts=2)
    assert progress(half_done).begun_again == 2


def test_the_phases_come_in_their_order_wherever_their_rows_lie(half_done: Run) -> None:
    for phase in half_done.phases.order_by("position"):
        Phase.objects.filter(pk=phase.pk).update(attempts=1 - phase.position % 2)
    assert [phase.name for phase in progress(half_done).phases] == ["planning", "scoring", "summary"]


def test_copied_shards_do_not_count_for_the_pace(half_done: Run) -> None:
    works(half_done)
    Shard.objects.filter(number=0).update(rows_reused=100, reused_from=Shard.objects.get(number=1))
    found = progress(half_done)
    assert (found.items_done, found.pace, found.seconds_left) == (100, None, None)


def test_the_time_left_leaves_out_shards_whose_answers_another_run_holds(half_done: Run) -> None:
    works(half_done)
    other = lay_out(launch(parse(SPEC)), 3).run
    assert progress(half_done).seconds_left == pytest.approx(20, rel=0.05)
    Shard.objects.filter(run=other, number=1).update(state=WorkState.DONE)
    assert progress(half_done).seconds_left == pytest.approx(10, rel=0.05)
    half_done.reuse = False
    assert progress(half_done).seconds_left == pytest.approx(20, rel=0.05)


def test_items_that_a_shard_copied_count_for_the_time_left_as_the_next_shards_copy_as_many(half_done: Run) -> None:
    works(half_done)
    Shard.objects.filter(number=0).update(rows_reused=95)
    assert progress(half_done).seconds_left == pytest.approx(20, rel=0.05)


def test_shards_that_ended_long_ago_count_while_a_worker_still_executes_the_next_one(half_done: Run) -> None:
    Shard.objects.filter(number=0).update(seconds=300, done_at=ClockTimestamp() - Value(timedelta(minutes=5)))
    assert progress(half_done).pace is None
    works(half_done, items=99, seconds=297)
    assert progress(half_done).pace == pytest.approx(1 / 3, rel=0.05)


@pytest.mark.parametrize("part", [0.1, 0.5, 0.99])
def test_the_time_left_falls_steadily_while_a_shard_is_under_way(half_done: Run, part: float) -> None:
    works(half_done, items=round(100 * part), seconds=10 * part)
    found = progress(half_done)
    assert found.items_done == 100 + round(100 * part)
    assert found.seconds_left == pytest.approx(20 - 10 * part, rel=0.05)


def test_a_second_worker_halves_the_time_left_and_a_dead_one_does_not_count(half_done: Run) -> None:
    works(half_done)
    works(half_done, name="near:1:2")
    assert progress(half_done).seconds_left == pytest.approx(10, rel=0.05)
    WorkerProcess.objects.filter(name="near:1:2").update(seen_at=ClockTimestamp() - Value(timedelta(minutes=1)))
    assert progress(half_done).seconds_left == pytest.approx(20, rel=0.05)


def test_the_first_shard_has_a_pace_before_it_ends(half_done: Run) -> None:
    Shard.objects.update(state=WorkState.WAITING, seconds=None, done_at=None)
    works(half_done, items=60, seconds=100)
    counted(50, 5)
    assert progress(half_done).seconds_left == pytest.approx(24, rel=0.05)


def test_the_first_shard_has_no_pace_while_an_unknown_part_of_it_may_be_copied(half_done: Run) -> None:
    later = lay_out(launch(parse(SPEC)), 1).run
    later.planned_items, later.state = 100, RunState.RUNNING
    works(later, items=60, seconds=100)
    counted(50, 5)
    assert progress(later).seconds_left is None
    later.reuse = False
    assert progress(later).seconds_left == pytest.approx(4, rel=0.05)


def test_a_worker_that_counted_for_a_few_seconds_gives_no_pace(half_done: Run) -> None:
    Shard.objects.update(state=WorkState.WAITING, seconds=None, done_at=None)
    works(half_done, items=60, seconds=100)
    counted(50, 4.9)
    assert (progress(half_done).pace, progress(half_done).seconds_left) == (None, None)


def test_without_a_worker_nobody_knows_the_time_left(half_done: Run) -> None:
    assert (progress(half_done).pace, progress(half_done).seconds_left) == (None, None)


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
