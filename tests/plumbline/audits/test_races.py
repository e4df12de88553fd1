"""Two workers at once, each on a real connection of its own."""

import pytest
from django.db import transaction

from plumbline.audits import life
from plumbline.audits.leases import LeaseLostError, finish, take_next_shard, take_phase
from plumbline.audits.models import Phase, Run, Shard
from plumbline.audits.states import RunState, WorkState
from tests.patience import PATIENCE
from tests.plumbline.audits.conftest import Elsewhere, until_one_waits


def test_a_taker_passes_the_shard_that_another_is_taking_without_waiting(elsewhere: Elsewhere, scoring: Phase) -> None:
    with transaction.atomic():
        ours = take_next_shard(scoring, "anna")
        theirs = elsewhere(lambda: take_next_shard(scoring, "ben")).result(timeout=PATIENCE)
    assert ours is not None
    assert Shard.objects.get(pk=theirs.row.pk).number == Shard.objects.get(pk=ours.row.pk).number + 1


def test_work_that_is_just_being_written_is_not_worn_out(elsewhere: Elsewhere, run: Run, scoring: Phase) -> None:
    """Its lease has ended and it was begun three times, but its row is locked: it is in somebody's hands."""
    lease = take_next_shard(scoring, "anna")
    assert lease is not None
    Shard.objects.filter(pk=lease.row.pk).update(attempts=3, lease_until=None)
    with transaction.atomic():
        assert finish(lease, 1.0)
        assert elsewhere(lambda: life.end_if_exhausted(run.pk)).result(timeout=PATIENCE) == ""
    run.refresh_from_db()
    assert run.state != RunState.FAILED


def test_of_two_that_take_a_phase_at_the_same_moment_one_wins(elsewhere: Elsewhere, run: Run) -> None:
    planning = run.phases.get(name="planning")
    with transaction.atomic():
        ours = take_phase(planning, "anna")
        theirs = elsewhere(lambda: take_phase(planning, "ben"))
        until_one_waits()
    assert ours is not None
    assert theirs.result() is None
    planning.refresh_from_db()
    assert (planning.leased_by, planning.attempts) == ("anna", 1)


def test_two_workers_that_finish_together_close_the_phase(elsewhere: Elsewhere, scoring: Phase) -> None:
    Shard.objects.filter(number=2).delete()
    ours, theirs = (take_next_shard(scoring, worker) for worker in ("anna", "ben"))
    assert ours is not None
    assert theirs is not None
    with transaction.atomic():
        finish(ours, 1.0)
        # Its own shard is done, ours is not yet committed: it sees one undone shard and leaves the phase open.
        assert elsewhere(lambda: finish(theirs, 1.0)).result()
        elsewhere(lambda: life.advance(scoring.run_id)).result()
    scoring.refresh_from_db()
    assert scoring.state == WorkState.READY
    life.advance(scoring.run_id)
    scoring.refresh_from_db()
    assert scoring.state == WorkState.DONE


def test_two_that_advance_at_once_advance_once(elsewhere: Elsewhere, scoring: Phase) -> None:
    Shard.objects.update(state=WorkState.DONE)
    with transaction.atomic():
        life.advance(scoring.run_id)
        other = elsewhere(lambda: life.advance(scoring.run_id))
        until_one_waits()
    other.result()
    states = list(Phase.objects.filter(run=scoring.run_id).values_list("name", "state"))
    assert states == [("planning", WorkState.DONE), ("scoring", WorkState.DONE), ("summary", WorkState.READY)]


def test_a_result_that_comes_while_the_run_is_cancelled_is_dropped(elsewhere: Elsewhere, scoring: Phase) -> None:
    lease = take_next_shard(scoring, "anna")
    assert lease is not None
    with transaction.atomic():
        life.cancel(scoring.run_id)
        late = elsewhere(lambda: finish(lease, 1.0))
        until_one_waits()
    with pytest.raises(LeaseLostError):
        late.result()
    assert Run.objects.get().state == RunState.CANCELLED
    assert not Shard.objects.filter(state=WorkState.DONE).exists()


def test_cancelling_waits_for_no_result_that_is_being_written_and_keeps_it(
    elsewhere: Elsewhere, scoring: Phase
) -> None:
    lease = take_next_shard(scoring, "anna")
    assert lease is not None
    with transaction.atomic():
        finish(lease, 1.0)
        assert elsewhere(lambda: life.cancel(scoring.run_id)).result(timeout=PATIENCE)
        elsewhere(lambda: life.resume(scoring.run_id)).result(timeout=PATIENCE)
    assert Shard.objects.get(pk=lease.row.pk).state == WorkState.DONE
