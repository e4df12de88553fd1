"""A scheduled launch that would find what is known leaves an entry and no run; every other one runs."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from plumbline.audits import clock
from plumbline.audits.launching import launch_plan
from plumbline.audits.models import Comparison, Launch, Outcome, Phase, Plan, Run, Shard
from plumbline.audits.previous_run import latest_before
from plumbline.audits.states import Priority, RunState
from plumbline.results import reading
from tests.plumbline.audits.conftest import Elsewhere, until_one_waits
from tests.workers.execution.conftest import Audit, execute
from workers.execution.skipped_launches import ends_unchanged
from workers.execution.worker_loop import WorkerSpentError


def change(**changes: Any) -> None:
    plan = Plan.objects.get()
    plan.spec = plan.spec | changes
    plan.save()


def test_a_second_launch_of_the_same_is_unchanged_and_makes_no_run(audit: Audit) -> None:
    first = audit()
    assert first.run is not None
    records = reading.digest(first.run.pk)
    second = audit()
    assert (second.outcome, second.run, second.unchanged_since) == (Outcome.UNCHANGED, None, first.run)
    assert list(Run.objects.all()) == [first.run]
    assert not Phase.objects.exclude(run=first.run).exists()
    assert not Shard.objects.exclude(run=first.run).exists()
    assert reading.digest(first.run.pk) == records
    assert audit().unchanged_since == first.run


@pytest.mark.parametrize(
    "changes",
    [
        {"attributes": {"inline": ["poor", "wealthy", "dominant"]}},
        {"seed": 1},
        {"params": {"level": 0.9}},
        {"params": {"resamples": 500}},
        {"families": ["statistic", "group_a"]},
        {"prior": {"mask": "one"}},
    ],
)
def test_whatever_the_summary_or_the_records_depend_on_makes_a_run(audit: Audit, changes: dict[str, Any]) -> None:
    audit()
    change(**changes)
    entry = audit()
    assert entry.outcome == Outcome.LAUNCHED
    assert entry.run is not None
    assert entry.run.state == RunState.DONE


def test_other_weights_behind_the_same_name_make_a_run(audit: Audit, exchange: Callable[[int], None]) -> None:
    audit()
    exchange(1)
    assert audit().outcome == Outcome.LAUNCHED


def test_weights_that_changed_back_are_a_change(audit: Audit, exchange: Callable[[int], None]) -> None:
    """Every answer is known, but not from the run before."""
    audit()
    exchange(1)
    second = audit()
    exchange(0)
    third = audit()
    assert third.outcome == Outcome.LAUNCHED
    assert Comparison.objects.get(run=third.run).previous == second.run


def test_a_run_that_did_not_finish_makes_nothing_unchanged(audit: Audit) -> None:
    audit()
    Run.objects.update(state=RunState.CANCELLED)
    assert audit().outcome == Outcome.LAUNCHED


def test_what_somebody_launches_by_hand_always_runs(audit: Audit) -> None:
    audit()
    run = launch_plan(Plan.objects.get())
    execute(run)
    run.refresh_from_db()
    assert run.state == RunState.DONE
    assert len(reading.read(run.pk)) == 80


@pytest.mark.parametrize("changes", [{"reuse": False}, {"priority": Priority.INTERACTIVE}, {"owner": "host:1:2"}])
def test_a_launch_that_may_not_reuse_or_that_somebody_waits_for_runs(audit: Audit, changes: dict[str, Any]) -> None:
    first = audit()
    run = launch_plan(Plan.objects.get(), priority=Priority.SCHEDULED)
    Run.objects.filter(pk=run.pk).update(**changes)
    entry = Launch.objects.create(
        schedule=first.schedule, run=run, due_at=first.created_at, model=run.model, outcome=Outcome.LAUNCHED
    )
    execute(run, owner=str(changes.get("owner", "")))
    entry.refresh_from_db()
    assert entry.outcome == Outcome.LAUNCHED
    assert Run.objects.get(pk=run.pk).state == RunState.DONE


def test_a_fault_while_the_run_is_taken_away_leaves_run_and_entry(
    audit: Audit, monkeypatch: pytest.MonkeyPatch
) -> None:
    audit()

    def gone(*_: Any) -> bool:
        raise ZeroDivisionError

    monkeypatch.setattr(Run, "delete", gone)
    with pytest.raises(WorkerSpentError):
        audit()
    entry = Launch.objects.get(run__isnull=False, run__state=RunState.PLANNING)
    assert (entry.outcome, entry.unchanged_since) == (Outcome.LAUNCHED, None)


def test_a_run_that_is_deleted_meanwhile_makes_nothing_unchanged(audit: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    audit()

    def stale(run: Run) -> Run | None:
        found = latest_before(run)
        if found is not None:
            Run.objects.get(pk=found.pk).delete()
        return found

    monkeypatch.setattr("workers.execution.skipped_launches.latest_before", stale)
    assert audit().outcome == Outcome.LAUNCHED


@pytest.mark.usefixtures("empty_results")
def test_the_run_that_holds_is_not_deleted_before_the_entry_names_it(elsewhere: Elsewhere, audit: Audit) -> None:
    first = audit()
    held = first.run
    assert held is not None
    run = launch_plan(Plan.objects.get(), priority=Priority.SCHEDULED)
    entry = Launch.objects.create(
        schedule=first.schedule, run=run, due_at=clock.now(), model=run.model, outcome=Outcome.LAUNCHED
    )
    shards = list(Shard.objects.filter(run=held))
    with transaction.atomic():
        assert ends_unchanged(run, shards)
        deleting = elsewhere(lambda: Run.objects.get(pk=held.pk).delete())
        until_one_waits()
    with pytest.raises(IntegrityError):
        deleting.result()
    entry.refresh_from_db()
    assert (entry.outcome, entry.unchanged_since) == (Outcome.UNCHANGED, held)
    assert len(reading.read(held.pk)) == 80
