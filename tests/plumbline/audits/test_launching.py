from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import DataError, transaction

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.launching import launch, launch_frozen, launch_plan, launch_plan_on_all
from plumbline.audits.models import ModelUnderAudit, Phase, Plan, Run, Snapshot
from plumbline.audits.states import RunState, WorkState
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError
from tests.plumbline.audits.conftest import SPEC, Elsewhere, until_one_waits


def test_a_run_begins_in_planning_with_all_its_phases(run: Run) -> None:
    assert run.state == RunState.PLANNING
    phases = [(phase.position, phase.name, phase.sharded, phase.state) for phase in run.phases.all()]
    assert phases == [
        (0, "planning", False, WorkState.READY),
        (1, "scoring", True, WorkState.WAITING),
        (2, "summary", False, WorkState.WAITING),
    ]


def test_a_run_keeps_its_spec_owner_plan_and_launcher(curated: None) -> None:
    plan, anna = Plan.objects.create(name="traits", spec=SPEC), User.objects.create(username="anna")
    run = launch(parse(SPEC), owner="host:1:2", plan=plan, by=anna, reuse=False)
    run.refresh_from_db()
    assert (run.owner, run.plan, run.created_by, run.reuse) == ("host:1:2", plan, anna, False)
    assert parse(run.spec).dump() == run.spec
    plan.delete()
    run.refresh_from_db()
    assert run.plan is None


def test_the_model_is_listed_once_however_often_it_is_audited(curated: None) -> None:
    launch(parse(SPEC))
    launch(parse(SPEC))
    assert ModelUnderAudit.objects.get().reference == "path:./some/dir"


@pytest.mark.parametrize(
    "changes",
    [
        {"attributes": {"list": "nowhere"}},
        {"groups": {"list": "gender", "only": ["girls"]}},
        {"templates": {"inline": ["{Group.plural} wait."]}},
        {"attributes": {"inline": ["kind", "kind"]}},
    ],
)
def test_a_wrong_spec_leaves_nothing_behind(curated: None, changes: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        launch(parse({**SPEC, **changes}))
    assert not any(model._default_manager.exists() for model in (Run, Phase, Snapshot, ModelUnderAudit))


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        (
            {"templates": {"inline": ["The {attribute} ones are {group.plural}."]}},
            "needs a word in place of",
        ),
        ({"prior": {"mask": "one"}}, "needs a masked model"),
    ],
)
def test_a_spec_that_its_kind_of_model_cannot_be_asked_starts_no_run(
    curated: None, changes: dict[str, Any], fault: str
) -> None:
    neutral = {**SPEC, "prior": {"plural": "people"}, **changes}
    with pytest.raises(InputError, match=fault):
        launch(parse({**neutral, "model": "bundled:smollm2-135m"}))
    assert not Run.objects.exists()
    launch(parse({**neutral, "model": "bundled:masked-demo"}))
    launch(parse({**neutral, "model": "hub:org/of-unknown-kind"}))


def test_a_launch_that_breaks_halfway_leaves_nothing_behind(curated: None) -> None:
    with pytest.raises(DataError):
        launch(parse(SPEC), owner="too long a name " * 20)
    assert not any(model._default_manager.exists() for model in (Run, Snapshot, ModelUnderAudit))


def test_words_of_an_earlier_run_leave_nothing_behind_either(run: Run) -> None:
    spec, snapshots = frozen_spec(run)
    ModelUnderAudit.objects.all().delete()
    with pytest.raises(DataError):
        launch_frozen(spec, Snapshot.objects.filter(pk__in=snapshots), owner="too long a name " * 20)
    assert not ModelUnderAudit.objects.exists()


def test_two_launches_at_once_share_what_they_share(elsewhere: Elsewhere, curated: None) -> None:
    with transaction.atomic():
        first = launch(parse(SPEC))
        second = elsewhere(lambda: launch(parse(SPEC)))
        until_one_waits()
    assert second.result() != first
    assert Snapshot.objects.count() == 2
    assert ModelUnderAudit.objects.count() == 1


def test_a_plan_of_several_models_launches_a_run_for_each_and_the_parent_first(curated: None) -> None:
    plan = Plan.objects.create(name="variants", spec=SPEC | {"model": "bundled:none", "models": ["path:./variant"]})
    runs = launch_plan_on_all(plan)
    assert [run.model for run in runs] == ["bundled:none", "path:./variant"]
    assert all(run.plan == plan and "models" not in run.spec for run in runs)
    assert launch_plan(plan).model == "bundled:none"
    assert launch_plan(plan, model="path:./another").model == "path:./another"


def test_of_several_models_none_is_launched_if_one_is_refused(curated: None) -> None:
    plan = Plan.objects.create(name="variants", spec=SPEC | {"models": ["nonsense"]})
    with pytest.raises(InputError):
        launch_plan_on_all(plan)
    assert not Run.objects.exists()
