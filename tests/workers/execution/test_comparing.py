"""A run of a plan is compared with the finished one before it: cells, row and notice, in one transaction and once."""

from collections.abc import Callable
from typing import Any

import pytest

from plumbline.audits import leases, life
from plumbline.audits.launching import launch, launch_plan
from plumbline.audits.models import Comparison, Notice, Plan, Run, Schedule
from plumbline.audits.states import RunState, WorkState
from plumbline.results import reading
from plumbline.spec.audit import parse
from tests.workers.execution.conftest import Audit, execute
from workers.comparison import compare_runs


def cells(run: Run | None) -> list[dict[str, Any]]:
    assert run is not None
    return reading.read(run.pk, "measure", statistic="paired_difference").to_dicts()


def test_the_first_run_of_a_plan_is_compared_with_nothing(audit: Audit) -> None:
    run = audit().run
    assert run is not None
    assert run.state == RunState.DONE
    assert not Comparison.objects.exists()
    assert cells(run) == []


def test_a_run_without_a_plan_has_no_such_phase(schedule: Schedule) -> None:
    run = launch(parse(Plan.objects.get().spec))
    assert "comparison" not in run.phases.values_list("name", flat=True)


def test_the_same_answers_are_a_difference_of_zero_and_have_not_moved(audit: Audit) -> None:
    audit()
    run = launch_plan(Plan.objects.get())
    execute(run)
    row = Comparison.objects.get(run=run)
    assert (row.paired, row.cells, row.moved, row.also_differs) == (80, 8, 0, [])
    assert {(cell["value"], cell["p_value"], cell["q_value"]) for cell in cells(run)} == {(0.0, 1.0, 1.0)}
    assert not Notice.objects.exists()


def test_words_that_came_and_went_are_counted_and_not_compared(audit: Audit) -> None:
    audit()
    plan = Plan.objects.get()
    plan.spec |= {"attributes": {"inline": ["poor", "wealthy", "kind"]}}
    plan.save()
    row = Comparison.objects.get(run=audit().run)
    assert (row.paired, row.only_previous, row.only_new, row.cells) == (40, 40, 20, 4)
    assert row.also_differs == ["attributes"]


def test_a_group_that_is_asked_in_other_words_is_not_compared(audit: Audit) -> None:
    audit()
    plan = Plan.objects.get()
    women, men = plan.spec["groups"]["inline"]
    plan.spec |= {"groups": {"inline": [women | {"plural": "female people"}, men]}}
    plan.save()
    run = audit().run
    row = Comparison.objects.get(run=run)
    assert (row.paired, row.only_previous, row.only_new) == (40, 40, 40)
    assert {cell["group_a"] for cell in cells(run)} == {men["label"]}
    assert reading.read(row.run_id, "measure", statistic="difference_in_differences").is_empty()


def test_runs_that_share_no_item_are_compared_without_a_cell(audit: Audit) -> None:
    audit()
    plan = Plan.objects.get()
    plan.spec |= {"attributes": {"inline": ["kind"]}}
    plan.save()
    run = audit().run
    row = Comparison.objects.get(run=run)
    assert (row.paired, row.cells, row.moved) == (0, 0, 0)
    assert cells(run) == []


def test_another_probe_of_the_same_plan_is_not_compared(audit: Audit) -> None:
    audit()
    plan = Plan.objects.get()
    plan.spec |= {"probe": "ilps_chain"}
    plan.save()
    assert audit().run is not None
    assert not Comparison.objects.exists()


def test_who_lost_the_lease_writes_nothing(
    audit: Audit, exchange: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    audit()
    exchange(1)

    def meanwhile(previous: Run, run: Run, **_: Any) -> Any:
        life.cancel(run.pk)
        return compare_runs(previous, run)

    monkeypatch.setattr("workers.execution.comparing.compare_runs", meanwhile)
    run = audit().run
    assert run is not None
    assert run.state == RunState.CANCELLED
    assert cells(run) == []
    assert not Comparison.objects.exists()
    assert not Notice.objects.exists()


def test_a_previous_run_that_is_deleted_meanwhile_leaves_the_run_done(
    audit: Audit, exchange: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    audit()
    exchange(1)

    def meanwhile(previous: Run, run: Run, **_: Any) -> Any:
        found = compare_runs(previous, run)
        Run.objects.get(pk=previous.pk).delete()
        return found

    monkeypatch.setattr("workers.execution.comparing.compare_runs", meanwhile)
    run = audit().run
    assert run is not None
    assert run.state == RunState.DONE
    assert not Comparison.objects.exists()


def test_the_comparison_waits_for_a_worker_of_the_cpu_queue(schedule: Schedule) -> None:
    phase = launch_plan(Plan.objects.get()).phases.get(name="comparison")
    assert (phase.queue, phase.sharded, phase.state) == ("cpu", False, WorkState.WAITING)
    assert leases.take_phase(phase, "anna") is None
