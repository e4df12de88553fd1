"""A run of an indirect plan is compared with the one before it, cell by cell."""

from collections.abc import Callable
from pathlib import Path

import pytest

from plumbline.audits.launching import launch_plan
from plumbline.audits.models import Comparison, Plan, Run
from plumbline.results import reading
from plumbline.spec.errors import InputError
from tests.workers.execution.conftest import execute
from workers.comparison import compare_runs
from workers.execution import comparing

pytestmark = pytest.mark.django_db


@pytest.fixture
def plan(model: Path) -> Plan:
    spec = {
        "name": "indirect",
        "probe": "indirect",
        "model": f"path:{model}",
        "targets": {"inline": ["women", "person"]},
        "features": {"inline": ["warm", "poor"]},
        "bridge": {"inline": list("abcdefghijklmnop")},
        "templates": {
            "target_bridge": ["{name} is {a target}.", "{name} should be {target}."],
            "bridge_feature": ["all {name} are {feature}.", "most {name} are {feature}."],
        },
        "params": {"resamples": 200},
    }
    return Plan.objects.create(name="plan", spec=spec)


def run_of(plan: Plan) -> Run:
    run = launch_plan(plan)
    execute(run)
    return Run.objects.get(pk=run.pk)


def test_its_cells_are_the_differences_of_the_scores(plan: Plan, exchange: Callable[[int], None]) -> None:
    first = run_of(plan)
    exchange(1)
    second = run_of(plan)
    row = Comparison.objects.get(run=second)
    assert (row.previous, row.paired, row.not_scorable, row.only_new) == (first, 4, 0, 0)
    assert row.also_differs == ["the model's weights"]
    scores = [
        {(one["group_a"], one["attribute"]): one["value"] for one in of_score.to_dicts()}
        for of_score in (
            reading.read(run.pk, "measure", statistic="indirect_log_probability_bias") for run in (first, second)
        )
    ]
    changed = reading.read(second.pk, "measure", statistic="paired_difference").to_dicts()
    assert len(changed) == 4
    for one in changed:
        key = one["group_a"], one["attribute"]
        assert one["value"] == pytest.approx(scores[1][key] - scores[0][key])
        assert (one["variant"], one["unit"], one["n"]) == (f"run:{first.pk}", "name", 16)
    assert "Pearson's r" in "\n".join(comparing.notice_lines(second, row, []))


def test_asked_again_nothing_moved(plan: Plan) -> None:
    run_of(plan)
    row = Comparison.objects.get(run=run_of(plan))
    assert (row.paired, row.moved) == (4, 0)


def test_a_run_that_cannot_be_compared_ends_well_and_says_why_when_asked(plan: Plan) -> None:
    first = run_of(plan)
    # No model is both masked and causal: a run of the other estimator is made by its spec alone.
    Run.objects.filter(pk=first.pk).update(spec=first.spec | {"params": {"variant": "causal"}})
    second = run_of(plan)
    assert second.state == "done"
    assert not Comparison.objects.exists()
    with pytest.raises(InputError, match="variant causal"):
        compare_runs(Run.objects.get(pk=first.pk), second)
