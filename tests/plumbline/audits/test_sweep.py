"""What is found again when it was lost between two steps."""

from plumbline.audits import leases
from plumbline.audits.models import MOST_ATTEMPTS, Phase, Run, Shard
from plumbline.audits.ownership import this_process
from plumbline.audits.states import RunState, WorkState
from plumbline.audits.sweep import sweep

HOST = this_process().split(":")[0]
GONE = f"{HOST}:999999999:1"


def test_what_a_dead_process_of_this_host_held_is_free_at_once(scoring: Phase) -> None:
    lease = leases.take_next_shard(scoring, GONE)
    assert lease is not None
    sweep()
    shard = Shard.objects.get(pk=lease.row.pk)
    assert (shard.token, shard.leased_by, shard.lease_until, shard.attempts) == (None, "", None, 1)


def test_what_the_living_and_those_of_other_hosts_hold_stays_theirs(scoring: Phase) -> None:
    held = [leases.take_next_shard(scoring, name) for name in (this_process(), "far:1:2")]
    sweep()
    assert all(lease and leases.renew(lease) for lease in held)


def test_a_run_that_nobody_advanced_is_advanced(run: Run, scoring: Phase) -> None:
    Shard.objects.update(state=WorkState.DONE)
    sweep()
    assert run.phases.get(name="summary").state == WorkState.READY


def test_a_run_whose_work_kills_its_workers_ends_and_says_what_to_do(run: Run, scoring: Phase) -> None:
    Shard.objects.filter(number=1).update(attempts=MOST_ATTEMPTS)
    sweep()
    run.refresh_from_db()
    assert (run.state, run.expected) == (RunState.FAILED, False)
    assert "shard 1 was begun 3 times" in run.error
    assert f"audit resume {run.pk}" in run.error


def test_the_run_of_a_process_is_left_alone(run: Run, scoring: Phase) -> None:
    Run.objects.filter(pk=run.pk).update(owner=GONE)
    Shard.objects.update(attempts=MOST_ATTEMPTS)
    sweep()
    run.refresh_from_db()
    assert run.state == RunState.PLANNING


def test_a_sweep_may_be_repeated(run: Run, scoring: Phase) -> None:
    sweep()
    before = list(Shard.objects.values()), list(Phase.objects.values())
    sweep()
    assert (list(Shard.objects.values()), list(Phase.objects.values())) == before
