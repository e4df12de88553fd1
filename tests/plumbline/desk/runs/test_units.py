"""Runs whose measures are no natural logarithms: each page gives the unit of the statistic that it shows."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.launching import launch_plan
from plumbline.audits.models import Plan, Run
from plumbline.audits.states import RunState
from plumbline.desk.views import models
from plumbline.results.measure_writing import replace_measures
from tests.plumbline.desk.runs.conftest import SPEC, Finish
from tests.plumbline.desk.runs.test_comparison import compared
from tests.plumbline.results.conftest import _load

WEAT: dict[str, Any] = {
    "name": SPEC["name"],
    "probe": "weat",
    "model": SPEC["model"],
    "targets": {"x": {"inline": ["rose", "daisy"]}, "y": {"inline": ["wasp", "moth"]}},
    "attributes": {"a": {"inline": ["kind"]}, "b": {"inline": ["cold"]}},
    "templates": {"inline": ["{target} is {attribute}."]},
}
EFFECT = {"statistic": "effect_size", "group_a": "x", "group_b": "y", "category": "a - b", "n": 8, "n_units": 4}


def finish_weat(plan: Plan, value: float = 0.5) -> Run:
    """One more run of the plan, by the other probe."""
    plan.spec = WEAT
    plan.save()
    run = launch_plan(plan)
    run.phases.update(state="done")
    Run.objects.filter(pk=run.pk).update(state=RunState.DONE, planned_items=1)
    _load(run.pk, [("{target} is {attribute}.", "rose", "kind", 0.25, None)])
    own = {"statistic": "cosine", "group_a": "rose", "attribute": "kind", "value": 0.25, "n": 1}
    replace_measures(run.pk, [EFFECT | {"value": value, "ci_low": value - 0.25, "ci_high": value + 0.25}, own])
    run.refresh_from_db()
    return run


@pytest.fixture
def pair(plan: Plan) -> tuple[Run, Run]:
    first, second = finish_weat(plan), finish_weat(plan, 0.75)
    compared(first, second)
    return first, second


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("plan", "standard deviations"),
        ("model", "standard deviations"),
        ("overview", "standard deviations"),
        ("compare", "Change (cosine)"),
        ("changes", "Value (cosine)"),
        ("explorer", "cosine"),
        ("run", "cosine"),
    ],
)
def test_no_page_calls_a_cosine_or_an_effect_size_a_logarithm(
    viewer: Client, pair: tuple[Run, Run], name: str, unit: str
) -> None:
    first, second = pair
    addresses = {
        "plan": reverse("plan", args=[second.plan_id]),
        "model": reverse("model", query={"reference": second.model}),
        "overview": reverse("overview"),
        "compare": reverse("compare", query={"a": first.pk, "b": second.pk}),
        "changes": reverse("run_measures", args=[second.pk], query={"statistic": "paired_difference"}),
        "explorer": reverse("explorer", args=[second.pk]),
        "run": reverse("run", args=[second.pk]),
    }
    text = viewer.get(addresses[name]).content.decode()
    assert unit in text
    assert "natural log" not in text
    assert "the score&#x27;s own" not in text


def test_pages_of_log_probabilities_say_so(viewer: Client, plan: Plan, finish: Finish) -> None:
    first, second = finish(), finish()
    compared(first, second)
    for address in (
        reverse("plan", args=[plan.pk]),
        reverse("overview"),
        reverse("run", args=[second.pk]),
        reverse("compare", query={"a": first.pk, "b": second.pk}),
    ):
        assert "natural log" in viewer.get(address).content.decode()


def test_a_baseline_is_of_the_probe_of_the_runs_that_are_held_against_it(
    viewer: Client, plan: Plan, finish: Finish
) -> None:
    finish()
    first, second = finish_weat(plan).pk, finish_weat(plan).pk
    for address in (reverse("plan", args=[plan.pk]), reverse("model", query={"reference": "bundled:none"})):
        lines = viewer.get(address).context["lines"]
        (line,) = (one for one in lines if one.contrast.statistic == "effect_size")
        assert [(audit.run, audit.is_baseline) for audit in line.audits] == [(first, True), (second, False)]


def test_a_baseline_brings_back_no_contrast_that_later_runs_lack(
    viewer: Client, plan: Plan, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "RUNS_DRAWN", 1)
    first = finish()
    own = {"statistic": "ilps_difference", "group_b": "men", "value": 9.0, "n": 6}
    replace_measures(first.pk, [own | {"group_a": "boys"}, own | {"group_a": "women"}])
    last = finish()
    replace_measures(last.pk, [own | {"group_a": "women", "value": 0.5}])
    (line,) = viewer.get(reverse("model"), {"reference": "bundled:none"}).context["lines"]
    assert [(audit.run, audit.measure.value) for audit in line.audits] == [(first.pk, 9.0), (last.pk, 0.5)]


def test_the_overview_draws_runs_of_the_last_ones_probe(viewer: Client, plan: Plan, finish: Finish) -> None:
    finish(9.0)
    run = finish_weat(plan)
    (standing,) = viewer.get(reverse("overview")).context["standings"]
    assert [audit.run for audit in standing.trend.line.audits] == [run.pk]
