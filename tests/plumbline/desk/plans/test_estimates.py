"""The time of a plan before its launch, by the pace of an earlier run."""

from datetime import timedelta
from typing import Any

import pytest

from plumbline.audits.clock import now
from plumbline.audits.estimated_time import LONG_SECONDS, MANY_ITEMS, Size
from plumbline.audits.launching import launch
from plumbline.audits.models import ModelCheck, ModelUnderAudit, Phase, Run, Shard
from plumbline.audits.states import RunState, WorkState
from plumbline.desk.plans.builder.estimates import estimate
from plumbline.spec.audit import parse
from tests.plumbline.audits.conftest import lay_out
from tests.plumbline.spec.some_questions import question

pytestmark = pytest.mark.usefixtures("lists")

PLAN: dict[str, Any] = {
    "name": "traits",
    "probe": "ilps",
    "model": "bundled:masked-demo",
    "groups": {"list": "genders", "only": ["women", "men"]},
    "prior": {"mask": "one"},
    "attributes": {"list": "warmth"},
    "templates": {"list": "frames"},
}


def finished(*, seconds: float, size: int = 100, reused: int = 0) -> Run:
    """Return a finished run of PLAN with one shard."""
    run = launch(parse(PLAN))
    lay_out(run, 1)
    Shard.objects.filter(run=run).update(state=WorkState.DONE, size=size, rows_reused=reused, seconds=seconds)
    Run.objects.filter(pk=run.pk).update(state=RunState.DONE)
    return run


def test_the_pace_is_that_of_a_run_whose_method_can_not_write_answers() -> None:
    run = finished(seconds=1000)
    assert estimate(PLAN).time == f"about 4 min for one worker, at the pace of run {run.pk}"


def test_the_planning_and_the_summary_take_their_time_too() -> None:
    run = finished(seconds=100)
    Phase.objects.filter(run=run, sharded=False).update(seconds=48)
    assert run.phases.filter(sharded=False).count() == 2
    assert estimate(PLAN).time == f"about 2 min for one worker, at the pace of run {run.pk}"


@pytest.mark.parametrize(("took", "told"), [(1040, "about 5 min"), (9000, "about 5 min"), (None, "about 4 min")])
def test_the_loading_of_the_model_takes_its_time_too_and_a_wait_for_a_worker_does_not(
    took: int | None, told: str
) -> None:
    run = finished(seconds=1000)
    ended = now()
    started = ended - timedelta(seconds=took) if took else None
    Run.objects.filter(pk=run.pk).update(started_at=started, finished_at=ended)
    assert estimate(PLAN).time == f"{told} for one worker, at the pace of run {run.pk}"


def test_a_run_that_took_all_answers_from_earlier_ones_hides_no_pace() -> None:
    asked = finished(seconds=1000)
    finished(seconds=0.1, reused=100)
    assert estimate(PLAN).time.endswith(f"at the pace of run {asked.pk}")


def test_a_small_run_gives_no_pace_where_a_run_of_about_the_planned_size_is_among_the_latest() -> None:
    alike = finished(seconds=2, size=20)
    finished(seconds=40, size=1)
    finished(seconds=40, size=5_000)
    assert estimate(PLAN).items == 24
    assert estimate(PLAN).time.endswith(f"at the pace of run {alike.pk}")


def test_without_a_finished_run_the_time_is_unknown() -> None:
    assert estimate(PLAN).time == ""


def test_a_run_on_a_model_of_the_same_kind_is_a_rough_guide() -> None:
    run = finished(seconds=1000)
    Run.objects.filter(pk=run.pk).update(model="hub:org/masked")
    assert estimate(PLAN).guide == ""
    model = ModelUnderAudit.objects.create(reference="hub:org/masked")
    ModelCheck.objects.create(model=model, kind="masked", state=WorkState.DONE)
    found = estimate(PLAN)
    told = f"about 4 min for one worker, at the pace of run {run.pk} on hub:org/masked, a model of the same kind; "
    assert found.time == ""
    assert found.guide.startswith(told)


def test_a_plan_with_questions_shows_one_of_them() -> None:
    bank = {"inline": [question(context="Ann met Bo.", question="Who was late?", options=["Ann", "Bo", "Unknown"])]}
    plan = {"name": "b", "probe": "bbq", "model": "bundled:mcq-demo", "bank": bank}
    shown = estimate(plan).examples
    assert shown
    assert shown.question == "Ann met Bo. Who was late? (Ann / Bo / Unknown)"
    alone = estimate({**plan, "params": {"question_only": True}}).examples
    assert alone
    assert alone.question == "Who was late? (Ann / Bo / Unknown)"


@pytest.mark.parametrize(
    ("size", "is_long"),
    [
        (Size(10, seconds=LONG_SECONDS, run=1), False),
        (Size(10, seconds=LONG_SECONDS + 1, run=1), True),
        (Size(10, models=2, seconds=0.6 * LONG_SECONDS, run=1), True),
        (Size(10 * MANY_ITEMS, seconds=5, run=1), False),
        (Size(MANY_ITEMS), False),
        (Size(MANY_ITEMS + 1), True),
        (Size(MANY_ITEMS, models=2), True),
        (Size(None), False),
    ],
)
def test_a_launch_is_long_by_its_time_or_else_by_its_items(size: Size, is_long: bool) -> None:
    assert size.is_long is is_long
