"""Which runs of a model and of its variant are held against each other."""

from collections.abc import Callable

import pytest

from plumbline.audits.models import Comparison, ComparisonRequest, Plan, Run
from plumbline.audits.states import WorkState
from plumbline.desk import mitigation_pairs
from plumbline.desk.mitigation_pairs import alike_pairs
from tests.plumbline.desk.runs.conftest import Finish

PARENT, VARIANT = "bundled:none", "variant:fair"
COUNTS = {"paired": 8, "only_previous": 0, "only_new": 0, "not_scorable": 0, "cells": 2, "moved": 2}

On = Callable[..., Run]


@pytest.fixture
def on(finish: Finish) -> On:
    """on(model): a finished run of the one plan on this model; with other fields where they are given."""

    def run(model: str, **fields: object) -> Run:
        made = finish()
        Run.objects.filter(pk=made.pk).update(model=model, **fields)
        return Run.objects.get(pk=made.pk)

    return run


def pairs(before: str = PARENT, after: str = VARIANT) -> list[tuple[Run, Run]]:
    return alike_pairs(["ilps"], before, after)


def test_without_a_comparison_the_latest_runs_of_one_plan_are_a_pair(on: On) -> None:
    on(PARENT)
    before, after = on(PARENT), on(VARIANT)
    on(PARENT, plan=Plan.objects.create(name="another", spec=before.spec))
    assert pairs() == [(before, after)]


def test_runs_of_different_plans_are_a_pair_where_no_plan_has_both(on: On) -> None:
    before = on(PARENT, plan=None)
    after = on(VARIANT)
    assert pairs() == [(before, after)]


@pytest.mark.parametrize("is_on_request", [True, False])
def test_a_compared_pair_goes_before_later_runs(on: On, *, is_on_request: bool) -> None:
    before, after = on(PARENT), on(VARIANT)
    on(PARENT)
    on(VARIANT)
    if is_on_request:
        ComparisonRequest.objects.create(first=before, second=after, state=WorkState.DONE)
    else:
        Comparison.objects.create(run=after, previous=before, **COUNTS)
    assert pairs() == [(before, after)]


def test_a_request_that_failed_or_waits_compared_nothing(on: On) -> None:
    before, after = on(PARENT), on(VARIANT)
    latest = on(PARENT)
    ComparisonRequest.objects.create(first=before, second=after, state=WorkState.DONE, error="too large")
    ComparisonRequest.objects.create(first=before, second=after)
    assert pairs() == [(latest, after)]


def test_many_later_runs_hide_no_compared_pair(on: On, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mitigation_pairs, "MOST_RUNS", 1)
    before, after = on(PARENT), on(VARIANT)
    Comparison.objects.create(run=after, previous=before, **COUNTS)
    for model in (PARENT, VARIANT):
        on(model)
    assert pairs() == [(before, after)]


def test_each_question_has_its_pair_and_other_questions_have_none(on: On) -> None:
    before, after = on(PARENT), on(VARIANT)
    others = {model: before.spec | {"model": model, "name": "seeded", "seed": 7} for model in (PARENT, VARIANT)}
    seeded = on(PARENT, spec=others[PARENT])
    assert pairs() == [(before, after)]
    seeded_after = on(VARIANT, spec=others[VARIANT])
    assert pairs() == [(seeded, seeded_after), (before, after)]


def test_of_one_model_the_earlier_run_is_the_first(on: On) -> None:
    first, second = on(PARENT), on(PARENT)
    assert pairs(PARENT, PARENT) == [(first, second)]
