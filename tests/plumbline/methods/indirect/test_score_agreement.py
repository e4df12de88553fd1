"""Rank correlation of the scores of two runs, such as one with given and one with generated names."""

from typing import Any

import pytest

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.methods.indirect.card import SCORE
from plumbline.methods.indirect.score_agreement import bridges_of, rank_agreements
from plumbline.spec.errors import InputError
from tests.plumbline.methods.conftest import MakeRun, measured
from tests.plumbline.methods.indirect.test_spec import SPEC

TARGETS, FEATURES = ("nurse", "boss", "cook", "pilot"), ("warm", "cold")


def scored(make_run: MakeRun, *values: float | None, **spec: Any) -> Run:
    """A run whose scores are these, target by target."""
    places = [(target, feature) for target in TARGETS for feature in FEATURES]
    measures = [
        measured(
            SCORE, value, group_a=target, attribute=feature, unit="name", reason="" if value is not None else "none"
        )
        for (target, feature), value in zip(places, values, strict=True)
    ]
    return make_run(SPEC | spec, measures)


def test_equal_orders_agree_whatever_the_scores(make_run: MakeRun) -> None:
    first = scored(make_run, 0.1, -0.4, 0.2, -0.3, 0.3, -0.2, 0.4, -0.1)
    second = scored(make_run, 0.01, -0.9, 0.02, -0.7, 0.8, -0.6, 0.9, 0.0)
    (one,) = rank_agreements(first, second)
    assert (one.cells, one.features) == (8, 2)
    assert one.over_cells == pytest.approx(1.0)
    assert one.over_targets == pytest.approx(1.0)


def test_a_feature_that_orders_the_targets_the_other_way_round_disagrees(make_run: MakeRun) -> None:
    """Over all cells: ranks 1 to 8 against 8 to 1 for "warm" alone would be -1; "cold" keeps its order here."""
    first = scored(make_run, 1, -4, 2, -3, 3, -2, 4, -1)
    second = scored(make_run, 4, -4, 3, -3, 2, -2, 1, -1)
    (one,) = rank_agreements(first, second)
    assert one.over_targets == pytest.approx(0.0)
    assert one.over_cells == pytest.approx(1 - 6 * (9 + 1 + 1 + 9) / (8 * 63))


def test_cells_without_a_score_and_constant_scores_are_left_out(make_run: MakeRun) -> None:
    first = scored(make_run, 1, None, 2, 0, 3, 0, 4, 0)
    second = scored(make_run, 1, 0, 2, 0, 3, 0, None, 0)
    (one,) = rank_agreements(first, second)
    assert (one.cells, one.features) == (6, 1)


def test_runs_that_cannot_be_compared_are_refused(make_run: MakeRun) -> None:
    first, second = (scored(make_run, *range(8)) for _ in range(2))
    Run.objects.filter(pk=second.pk).update(state=RunState.RUNNING)
    second.refresh_from_db()
    with pytest.raises(InputError, match="only finished runs"):
        rank_agreements(first, second)
    other = make_run(SPEC, [measured(SCORE, 0.1, group_a="x", attribute="y", unit="name")])
    with pytest.raises(InputError, match="no target and feature in common"):
        rank_agreements(first, other)


def test_the_names_of_both_runs_are_counted(make_run: MakeRun) -> None:
    first = scored(make_run, *range(8), bridge={"inline": ["Ann", "Bob", "Eve"]})
    second = scored(make_run, *range(8), bridge={"inline": ["Bob", "Eve", "Tom", "Zoe"]})
    found = bridges_of(first, second)
    assert (len(found.first), len(found.second), found.common) == (3, 4, 2)
