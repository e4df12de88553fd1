import pytest

from plumbline.audits import life
from plumbline.audits.leases import LeaseLostError, finish, renew, take_next_shard, take_phase
from plumbline.audits.models import MOST_ATTEMPTS, Phase, Run, Shard
from plumbline.audits.ownership import this_process
from plumbline.audits.states import LIVE, RESUMABLE, RunState, WorkState
from plumbline.spec.errors import InputError

ENDED_OR_DRAFT = [state for state in RunState if state not in LIVE]


def states(run: Run) -> tuple[str, ...]:
    """The run's state, then those of its phases."""
    return (Run.objects.get(pk=run.pk).state, *run.phases.values_list("state", flat=True))


def put(run: Run, state: RunState) -> None:
    Run.objects.filter(pk=run.pk).update(state=state)


def done(phase: Phase) -> None:
    Phase.objects.filter(pk=phase.pk).update(state=WorkState.DONE)


def test_a_run_goes_through_its_phases_to_the_end(run: Run) -> None:
    planning, scoring, summary = run.phases.all()
    assert life.begin(planning)
    assert states(run) == ("planning", "ready", "waiting", "waiting")
    done(planning)
    life.advance(run.pk)
    assert states(run) == ("queued", "done", "ready", "waiting")
    assert life.begin(scoring)
    life.advance(run.pk)  # a phase without shards has nothing to wait for
    assert states(run) == ("running", "done", "done", "ready")
    assert life.begin(summary)
    assert states(run)[0] == "summarising"
    done(summary)
    life.advance(run.pk)
    assert states(run) == ("done", "done", "done", "done")
    run.refresh_from_db()
    assert run.created_at <= run.started_at <= run.finished_at  # type: ignore[operator]


def test_advancing_again_changes_nothing(scoring: Phase) -> None:
    run = scoring.run

    def everything() -> list[object]:
        return [*Run.objects.values(), *Phase.objects.values(), *Shard.objects.values()]

    for work in (Shard.objects.filter(number=0), Shard.objects.all(), run.phases.filter(name="summary")):
        work.update(state=WorkState.DONE)
        life.advance(run.pk)
        before = everything()
        life.advance(run.pk)
        assert everything() == before
    assert states(run) == ("done", "done", "done", "done")


def test_a_phase_is_open_while_one_of_its_shards_is_undone(scoring: Phase) -> None:
    Shard.objects.exclude(number=2).update(state=WorkState.DONE)
    life.advance(scoring.run_id)
    assert life.current_phase(scoring.run_id) == scoring
    Shard.objects.update(state=WorkState.DONE)
    life.advance(scoring.run_id)
    current = life.current_phase(scoring.run_id)
    assert current is not None
    assert (current.name, current.state) == ("summary", WorkState.READY)


def test_undone_shards_of_a_later_phase_keep_nobody_waiting(scoring: Phase) -> None:
    Shard.objects.exclude(number=2).update(state=WorkState.DONE)
    Shard.objects.filter(number=2).update(phase=scoring.run.phases.get(name="summary"))
    life.advance(scoring.run_id)
    scoring.refresh_from_db()
    assert scoring.state == WorkState.DONE


def test_undone_shards_of_another_run_keep_nobody_waiting(scoring: Phase) -> None:
    other = Run.objects.create(name="other", probe="ilps", model="path:x", spec={})
    phase = Phase.objects.create(run=other, position=1, name="scoring", sharded=True, state=WorkState.READY)
    life.advance(other.pk)
    phase.refresh_from_db()
    assert phase.state == WorkState.DONE


@pytest.mark.parametrize("state", ENDED_OR_DRAFT)
def test_nobody_begins_on_a_run_that_does_not_live(run: Run, state: RunState) -> None:
    put(run, state)
    assert not life.begin(run.phases.get(name="planning"))
    assert states(run)[0] == state


def test_the_start_of_a_run_is_when_work_first_began(run: Run) -> None:
    planning = run.phases.get(name="planning")
    life.begin(planning)
    began = Run.objects.get().started_at
    life.begin(planning)
    assert Run.objects.get().started_at == began


def test_a_failed_run_says_why_in_one_line_and_keeps_what_is_done(scoring: Phase) -> None:
    first, second = take_next_shard(scoring, "anna"), take_next_shard(scoring, "ben")
    assert first is not None
    assert second is not None
    finish(first, 1.0)
    life.fail(scoring.run_id, "KeyError:\n 'x'", expected=False, traceback="Traceback ...\n")
    run = Run.objects.get()
    assert (run.state, run.error, run.expected, run.traceback) == (
        RunState.FAILED,
        "KeyError: 'x'",
        False,
        "Traceback ...\n",
    )
    assert run.finished_at is not None
    assert Shard.objects.get(pk=first.row.pk).token == first.token
    with pytest.raises(LeaseLostError):
        finish(second, 1.0)


@pytest.mark.parametrize("state", ENDED_OR_DRAFT)
def test_what_has_ended_does_not_fail_or_get_cancelled(run: Run, state: RunState) -> None:
    put(run, state)
    life.fail(run.pk, "too late", expected=True)
    assert not life.cancel(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error) == (state, "")


@pytest.mark.parametrize("state", LIVE)
def test_a_living_run_is_cancelled_and_all_its_leases_are_void(scoring: Phase, state: RunState) -> None:
    run = scoring.run
    put(run, state)
    lease = take_next_shard(scoring, "anna")
    assert lease is not None
    assert life.cancel(run.pk, "no longer needed")
    run.refresh_from_db()
    assert (run.state, run.error, run.expected) == (RunState.CANCELLED, "no longer needed", True)
    assert not renew(lease)
    assert Shard.objects.get(pk=lease.row.pk).leased_by == ""
    with pytest.raises(LeaseLostError):
        finish(lease, 1.0)


@pytest.mark.parametrize("state", RESUMABLE)
def test_a_failed_or_cancelled_run_goes_on_with_what_is_not_done(scoring: Phase, state: RunState) -> None:
    lease = take_next_shard(scoring, "anna")
    assert lease is not None
    finish(lease, 1.0)
    Shard.objects.exclude(pk=lease.row.pk).update(attempts=MOST_ATTEMPTS)
    Run.objects.update(state=state, error="why", expected=True, traceback="where")
    life.resume(scoring.run_id, owner="host:1:2")
    run = Run.objects.get()
    assert (run.state, run.owner, run.error, run.expected, run.traceback, run.finished_at) == (
        RunState.QUEUED,
        "host:1:2",
        "",
        False,
        "",
        None,
    )
    following = take_next_shard(scoring, "ben")
    assert following is not None
    assert Shard.objects.get(pk=following.row.pk).number == 1
    assert Shard.objects.get(pk=lease.row.pk).attempts == 1


@pytest.mark.parametrize("state", [state for state in RunState if state not in RESUMABLE])
def test_no_other_run_can_be_resumed(run: Run, state: RunState) -> None:
    put(run, state)
    with pytest.raises(InputError, match=rf"run {run.pk} is {state}; only a failed or cancelled run can be resumed"):
        life.resume(run.pk)
    assert states(run)[0] == state


def test_a_run_that_fails_in_planning_plans_again_when_resumed(run: Run) -> None:
    planning = run.phases.get(name="planning")
    assert take_phase(planning, "anna")
    life.fail(run.pk, "no such model", expected=True)
    life.resume(run.pk)
    assert take_phase(planning, "ben")
    assert life.begin(planning)
    assert states(run)[0] == RunState.PLANNING


def test_other_runs_are_left_alone(scoring: Phase) -> None:
    other = Run.objects.create(name="other", probe="ilps", model="path:x", spec={})
    phase = Phase.objects.create(run=other, position=0, name="planning", sharded=False, state=WorkState.READY)
    lease = take_phase(phase, "anna")
    assert lease is not None
    life.cancel(scoring.run_id)
    life.resume(scoring.run_id)
    life.fail(scoring.run_id, "x", expected=False)
    assert renew(lease)
    other.refresh_from_db()
    phase.refresh_from_db()
    assert (other.state, phase.attempts) == (RunState.PLANNING, 1)


def test_a_failed_run_is_taken_up_by_the_workers_or_by_a_process(run: Run) -> None:
    for owner in ("", "host:1:2"):
        put(run, RunState.FAILED)
        life.take_up(run.pk, owner)
        run.refresh_from_db()
        assert (run.state, run.owner) == (RunState.QUEUED, owner)


def test_the_run_of_a_process_that_is_gone_is_taken_up_though_it_seems_to_live(run: Run) -> None:
    gone = f"{this_process().split(':')[0]}:999999999:1"
    Run.objects.filter(pk=run.pk).update(owner=gone, state=RunState.RUNNING)
    life.take_up(run.pk)
    run.refresh_from_db()
    assert (run.state, run.owner) == (RunState.QUEUED, "")


def test_a_living_run_is_not_taken_up(run: Run) -> None:
    with pytest.raises(InputError, match="only a failed or cancelled run"):
        life.take_up(run.pk)


def test_a_run_that_is_not_there_is_reported(db: None) -> None:
    with pytest.raises(InputError, match="there is no run 7"):
        life.take_up(7)


def test_advancing_shows_whether_it_opened_work(run: Run) -> None:
    done(run.phases.get(name="planning"))
    assert life.advance(run.pk)
    assert run.phases.get(position=1).state == WorkState.READY


def test_advancing_a_run_that_is_gone_does_nothing(db: None) -> None:
    assert not life.advance(7)


def test_a_finished_run_is_summarised_again_and_no_other_one_is(run: Run) -> None:
    with pytest.raises(InputError, match="only a finished run can be summarised again"):
        life.summarise_again(run.pk)
    run.phases.update(state=WorkState.DONE)
    Run.objects.filter(pk=run.pk).update(state=RunState.DONE)
    life.summarise_again(run.pk)
    run.refresh_from_db()
    assert (run.state, run.finished_at) == (RunState.QUEUED, None)
    phase = life.current_phase(run.pk)
    assert phase is not None
    assert (phase.name, phase.state) == ("summary", WorkState.READY)
