import pytest

from plumbline.audits.launching import launch
from plumbline.audits.models import Plan, Run
from plumbline.audits.previous_run import latest_before
from plumbline.audits.states import RunState
from plumbline.spec.audit import parse
from tests.plumbline.audits.conftest import SPEC

pytestmark = pytest.mark.usefixtures("curated")


def ended(plan: Plan | None, state: RunState = RunState.DONE, **changes: object) -> Run:
    run = launch(parse({**SPEC, **changes}), plan=plan)
    Run.objects.filter(pk=run.pk).update(state=state)
    return run


def test_it_is_the_latest_finished_one_of_the_same_plan_and_model() -> None:
    plan, other = Plan.objects.create(name="a", spec=SPEC), Plan.objects.create(name="b", spec=SPEC)
    ended(plan)
    expected = ended(plan)
    ended(plan, RunState.FAILED)
    ended(plan, RunState.RUNNING)
    ended(plan, model="path:other")
    ended(other)
    ended(plan, probe="ilps_chain")
    run = ended(plan, RunState.SUMMARISING)
    ended(plan)  # later, and already done
    assert latest_before(run) == expected


def test_the_first_run_and_one_without_a_plan_have_none() -> None:
    ended(None)
    assert latest_before(ended(None)) is None
    assert latest_before(ended(Plan.objects.create(name="a", spec=SPEC))) is None
