"""Maps of targets: what rests on which features, and a worker's answer."""

from typing import Any

import polars as pl
import pytest

from plumbline.audits.launching import launch
from plumbline.audits.models import MapMethod, MapRequest, Run
from plumbline.audits.questions import MOST_MAPS, ask_map
from plumbline.audits.states import WorkState
from plumbline.results import measure_writing
from plumbline.results.columns import Columns
from plumbline.results.grid import CELLS
from plumbline.spec.audit import parse
from tests.workers.execution.conftest import Silent
from tests.workers.execution.spec import ilps
from workers.execution import Worker, answer_next
from workers.execution.mapping import NO_SCORE, vectors_of

STATISTIC = "indirect_log_probability_bias"
TARGETS = ["nurse", "farmer", "judge", "poet", "baker", "clerk", "pilot", "miner", "actor", "dentist"]
FEATURES = ["kind", "bold", "calm"]


def table(**rows: list[float | None]) -> pl.DataFrame:
    cells = [
        {"group_a": target, "group_b": "", "attribute": feature, "category": "traits", "value": value}
        for target, values in rows.items()
        for feature, value in zip(FEATURES, values, strict=True)
    ]
    schema: Columns = {name: CELLS[name] for name in ("group_a", "group_b", "attribute", "category", "value")}
    return pl.DataFrame(cells, schema=schema)


def test_a_feature_without_a_score_for_some_target_is_left_out_and_counted() -> None:
    found = vectors_of(table(nurse=[0.1, None, 0.3], farmer=[0.4, 0.5, 0.6]))
    assert (found.targets, found.features_left_out, found.left_out) == (("nurse", "farmer"), 1, ())
    assert found.values.tolist() == [[0.1, 0.3], [0.4, 0.6]]


def test_a_target_without_any_score_is_left_out_before_it_takes_all_features_along() -> None:
    found = vectors_of(table(nurse=[None, None, None], farmer=[0.4, 0.5, 0.6]))
    assert (found.targets, found.features_left_out, found.left_out) == (("farmer",), 0, ("nurse",))


@pytest.fixture
def run(db: None, tiny_folders: tuple[Any, Any]) -> Run:
    """A run with scores of ten targets with three features, and of one target with none."""
    found = launch(parse(ilps(tiny_folders[0])))
    cells = [
        {
            "statistic": STATISTIC, "group_a": target, "attribute": feature, "category": "traits", "n": 9,
            "value": (place * 7 % 10 + number * place) / 30 if target != "dentist" else None,
            "reason": "" if target != "dentist" else "too few names",
        }
        for place, target in enumerate(TARGETS)
        for number, feature in enumerate(FEATURES)
    ]  # fmt: skip
    measure_writing.replace_measures(found.pk, cells)
    return found


def ask(run: Run, **changes: Any) -> MapRequest:
    asked = {"statistic": STATISTIC, "variant": "", "category": "traits", "method": MapMethod.TSNE}
    return ask_map(run, **{**asked, "parameter": 5, "seed": 1, **changes})


def answered(asked: MapRequest) -> MapRequest:
    assert answer_next(Worker("test", Silent(), owner=""), lambda _: None)
    asked.refresh_from_db()
    assert asked.answered
    return asked


SLOW_TO_COMPILE = pytest.param(MapMethod.UMAP, marks=pytest.mark.trial)


@pytest.mark.parametrize("method", [*(method for method in MapMethod if method != MapMethod.UMAP), SLOW_TO_COMPILE])
def test_a_worker_gives_each_target_a_place(run: Run, method: MapMethod) -> None:
    found = answered(ask(run, method=method))
    assert (found.error, found.features, found.features_left_out) == ("", 3, 0)
    assert [label for label, _, _ in found.positions] == TARGETS[:-1]
    assert found.left_out == [["dentist", NO_SCORE]]
    assert ("lowered" in found.told) == (method == MapMethod.TSNE)
    assert bool(found.explained) == (method == MapMethod.PCA)


def test_the_same_question_is_answered_once_and_kept(run: Run) -> None:
    first = ask(run)
    assert ask(run) == first
    answered(first)
    assert ask(run) == first
    assert ask(run, seed=2) != first
    assert MapRequest.objects.count() == 2


def test_principal_components_need_neither_parameter_nor_seed(run: Run) -> None:
    assert ask(run, method=MapMethod.PCA, seed=3) == ask(run, method=MapMethod.PCA, parameter=9)


def test_a_list_without_scores_is_reported_and_may_be_asked_for_again(run: Run) -> None:
    found = answered(ask(run, category="drinks"))
    assert "no scores of this kind with features of the list 'drinks'" in found.error
    assert ask(run, category="drinks") != found


def test_too_few_targets_have_a_reason(run: Run) -> None:
    cells = [
        {"statistic": STATISTIC, "group_a": "nurse", "attribute": "kind", "category": "traits", "n": 9, "value": 1.0}
    ]
    measure_writing.replace_measures(run.pk, cells)
    assert answered(ask(run)).error == "1 targets: this map needs 4 at least."


def test_a_run_keeps_its_latest_maps(run: Run) -> None:
    about = {
        "run": run,
        "statistic": STATISTIC,
        "category": "traits",
        "method": MapMethod.TSNE,
        "state": WorkState.DONE,
    }
    MapRequest.objects.bulk_create(MapRequest(**about, seed=number) for number in range(MOST_MAPS + 3))
    ask(run)
    assert MapRequest.objects.filter(state=WorkState.DONE).count() == MOST_MAPS
