import time
from datetime import timedelta

import pytest
from django.conf import settings
from django.db.models import F, Value

from plumbline.audits.clock import ClockTimestamp
from plumbline.audits.leases import Lease, LeaseLostError, drop, finish, give_back, renew, take_next_shard, take_phase
from plumbline.audits.models import MOST_ATTEMPTS, Phase, Run, Shard
from plumbline.audits.states import RunState, WorkState


def take(phase: Phase, worker: str = "anna") -> Lease:
    lease = take_next_shard(phase, worker)
    assert lease is not None
    return lease


def end_within(lease: Lease, left: timedelta) -> None:
    lease.same().update(lease_until=ClockTimestamp() + Value(left))


def seconds_left(lease: Lease) -> float:
    rows = lease.same().annotate(left=F("lease_until") - ClockTimestamp())
    return float(rows.values_list("left", flat=True).get().total_seconds())


def test_a_lease_names_its_worker_and_lasts_a_while(scoring: Phase) -> None:
    lease = take(scoring)
    shard = Shard.objects.get(pk=lease.row.pk)
    assert (shard.leased_by, shard.token, shard.attempts) == ("anna", lease.token, 1)
    assert settings.LEASE_SECONDS - 5 < seconds_left(lease) <= settings.LEASE_SECONDS


def test_shards_are_leased_in_order_each_to_one_worker(scoring: Phase) -> None:
    leases = [take(scoring, worker) for worker in ("anna", "ben", "cleo")]
    assert [Shard.objects.get(pk=lease.row.pk).number for lease in leases] == [0, 1, 2]
    assert take_next_shard(scoring, "dora") is None


def test_only_the_shards_of_that_phase_are_leased(scoring: Phase, run: Run) -> None:
    Shard.objects.filter(phase=scoring).update(phase=run.phases.get(name="summary"))
    assert take_next_shard(scoring, "anna") is None


def test_of_two_takers_of_a_phase_one_wins(run: Run) -> None:
    planning = run.phases.get(name="planning")
    assert take_phase(planning, "anna")
    assert take_phase(planning, "ben") is None
    planning.refresh_from_db()
    assert (planning.leased_by, planning.attempts) == ("anna", 1)


def test_work_that_waits_or_is_done_is_not_leased(run: Run) -> None:
    planning, _, summary = run.phases.all()
    assert take_phase(summary, "anna") is None
    lease = take_phase(planning, "anna")
    assert lease
    finish(lease, 1.0)
    assert take_phase(planning, "ben") is None


def test_a_lease_that_the_servers_clock_left_far_in_the_future_is_taken_over(scoring: Phase) -> None:
    lost = take(scoring)
    end_within(lost, 11 * timedelta(seconds=settings.LEASE_SECONDS))  # the clock was set back after it was taken
    assert take(scoring, "ben").row.pk == lost.row.pk


def test_a_lease_of_a_worker_with_longer_leases_is_kept(scoring: Phase) -> None:
    longer = take(scoring)
    end_within(longer, 5 * timedelta(seconds=settings.LEASE_SECONDS))
    assert take(scoring, "ben").row.pk != longer.row.pk


def test_a_lease_that_ran_out_by_the_servers_clock_is_taken_over(scoring: Phase) -> None:
    lost = take(scoring)
    end_within(lost, timedelta(milliseconds=20))
    time.sleep(0.05)  # inside of one transaction, where now() stands still
    taken = take(scoring, "ben")
    assert (taken.row.pk, taken.token != lost.token) == (lost.row.pk, True)
    assert Shard.objects.get(pk=lost.row.pk).attempts == 2


def test_a_renewed_lease_lasts_on(scoring: Phase) -> None:
    lease = take(scoring)
    end_within(lease, timedelta(seconds=1))
    assert renew(lease)
    assert seconds_left(lease) > settings.LEASE_SECONDS - 5


def test_a_lease_that_was_taken_over_or_ended_is_not_renewed(scoring: Phase) -> None:
    lost = take(scoring)
    end_within(lost, timedelta(seconds=-1))
    taken = take(scoring, "ben")
    assert not renew(lost)
    finish(taken, 1.0)
    assert not renew(taken)


def test_the_lease_of_a_run_that_ended_is_not_renewed(scoring: Phase) -> None:
    """Its row may have been locked while the others' leases were cleared."""
    lease = take(scoring)
    Run.objects.filter(pk=scoring.run_id).update(state=RunState.CANCELLED)
    assert not renew(lease)


def test_work_given_back_is_free_again_and_the_attempt_does_not_count(scoring: Phase) -> None:
    lease = take(scoring)
    give_back(lease)
    shard = Shard.objects.get(pk=lease.row.pk)
    assert (shard.token, shard.leased_by, shard.lease_until, shard.attempts) == (None, "", None, 0)
    assert take(scoring, "ben").row.pk == lease.row.pk


def test_giving_back_what_is_no_longer_ours_changes_nothing(scoring: Phase) -> None:
    lost = take(scoring)
    end_within(lost, timedelta(seconds=-1))
    taken = take(scoring, "ben")
    give_back(lost)
    shard = Shard.objects.get(pk=lost.row.pk)
    assert (shard.token, shard.attempts) == (taken.token, 2)
    finish(taken, 1.0)
    give_back(taken)
    assert Shard.objects.get(pk=lost.row.pk).state == WorkState.DONE


def test_a_shard_that_kills_its_workers_is_not_leased_for_ever(scoring: Phase) -> None:
    Shard.objects.exclude(number=0).delete()
    for _ in range(MOST_ATTEMPTS):
        end_within(take(scoring), timedelta(seconds=-1))
    assert take_next_shard(scoring, "anna") is None


def test_finishing_marks_the_work_done_and_keeps_the_token(scoring: Phase) -> None:
    lease = take(scoring)
    assert finish(lease, 2.5)
    shard = Shard.objects.get(pk=lease.row.pk)
    assert (shard.state, shard.seconds, shard.token, shard.lease_until) == (WorkState.DONE, 2.5, lease.token, None)
    assert shard.done_at is not None


def test_a_retry_after_a_lost_commit_knows_its_own_work(scoring: Phase) -> None:
    lease = take(scoring)
    assert finish(lease, 1.0)
    assert not finish(lease, 9.0)
    assert Shard.objects.get(pk=lease.row.pk).seconds == 1.0


def test_a_lease_that_ran_out_but_was_not_taken_over_still_finishes(scoring: Phase) -> None:
    lease = take(scoring)
    end_within(lease, timedelta(seconds=-1))
    assert finish(lease, 1.0)


@pytest.mark.parametrize("ended", [False, True], ids=["before the other ended", "after the other ended"])
def test_who_lost_the_lease_may_not_finish(scoring: Phase, ended: bool) -> None:
    lost = take(scoring)
    end_within(lost, timedelta(seconds=-1))
    taken = take(scoring, "ben")
    if ended:
        finish(taken, 1.0)
    with pytest.raises(LeaseLostError, match=rf"{lost.what} was taken over or cancelled; its result is dropped"):
        finish(lost, 1.0)
    assert Shard.objects.get(pk=lost.row.pk).token == taken.token


def test_dropped_work_is_free_and_the_attempt_counts(scoring: Phase) -> None:
    lease = take(scoring)
    drop(lease)
    shard = Shard.objects.get(pk=lease.row.pk)
    assert (shard.token, shard.attempts) == (None, 1)
    assert not renew(lease)


def test_a_lease_says_what_it_is_of(run: Run, scoring: Phase) -> None:
    summary = run.phases.get(name="summary")
    Phase.objects.filter(pk=summary.pk).update(state=WorkState.READY)
    of_phase = take_phase(summary, "anna")
    assert of_phase is not None
    assert (take(scoring).what, of_phase.what) == ("shard 0", "summary")
