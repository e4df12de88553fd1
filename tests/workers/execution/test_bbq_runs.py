"""Runs of BBQ on a real database: an endpoint that fails and comes back, stored answers, reuse."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plumbline.audits import life
from plumbline.audits.launching import launch
from plumbline.audits.models import Run, Shard
from plumbline.audits.states import RunState
from plumbline.findings.by_method import concerns
from plumbline.methods.bbq.findings import of_bbq
from plumbline.results import reading
from plumbline.spec.audit import parse
from tests.plumbline.spec.some_questions import set_of_four
from tests.workers.endpoint import Endpoint, serving
from tests.workers.execution.conftest import Silent
from workers.engine import remote
from workers.execution import Worker, drive

pytestmark = pytest.mark.django_db


def questions() -> list[dict[str, Any]]:
    """Eight templates, each with its own place, so that no two prompts are alike."""
    return [
        {**one, "context": one["context"].replace("the bus", f"bus {template}")}
        for template in "12345678"
        for one in set_of_four(template)
    ]


def ran(**spec: Any) -> Run:
    data = {"name": "bbq", "probe": "bbq", "bank": {"inline": questions()}, **spec}
    run = launch(parse(data), owner="test")
    drive(run.pk, Worker("test", Silent()))
    run.refresh_from_db()
    return run


def value(run: Run, statistic: str, condition: str = "", category: str = "Colour") -> float | None:
    wanted = {"statistic": statistic, "condition": condition, "category": category, "variant": "", "template": ""}
    measures = reading.read(run.pk, "measure")
    found = measures.filter(*(pl.col(name) == text for name, text in wanted.items()))
    found = found.filter(pl.col("group_a") == "", pl.col("attribute") == "")
    assert len(found) == 1, found
    number: float | None = found["value"][0]
    return number


@pytest.fixture
def endpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Endpoint]:
    """It says A in every negative and B in every other question: always as the stereotype would have it."""
    monkeypatch.setenv("PLUMBLINE_VAR", str(tmp_path))
    monkeypatch.setattr(remote, "LONGEST_PAUSE", 0.02)
    with serving(lambda text: "A" if "loses" in text else "(B)") as server:
        yield server


def test_an_endpoint_is_asked_and_its_bias_measured(endpoint: Endpoint) -> None:
    endpoint.replies = [(429, {}, {"Retry-After": "0"}), (500, {}, {})]
    run = ran(model=endpoint.reference)
    assert run.state == RunState.DONE, run.error
    assert len(endpoint.asked) == len(questions()) + 2
    assert value(run, "s_amb", "ambig") == 1.0
    assert value(run, "s_dis", "disambig") == 1.0
    assert value(run, "accuracy", "ambig") == 0.0
    assert value(run, "accuracy_cost", "disambig") is None


def test_a_run_whose_endpoint_stays_away_fails_with_the_remedy_and_is_resumed_without_paying_twice(
    endpoint: Endpoint,
) -> None:
    answered = 10
    endpoint.replies = [_answer("A")] * answered + [(503, {}, {})] * 1000
    run = ran(model=endpoint.reference, params={"attempts": 2, "concurrency": 1})
    assert run.state == RunState.FAILED
    assert "answers 503, 2 times in a row: check the endpoint, then resume the run" in run.error
    endpoint.replies = []
    before = len(endpoint.asked)
    life.take_up(run.pk, owner="test")
    drive(run.pk, Worker("test", Silent()))
    run.refresh_from_db()
    assert run.state == RunState.DONE, run.error
    assert len(endpoint.asked) - before == len(questions()) - answered


def test_another_run_asks_the_endpoint_again(endpoint: Endpoint) -> None:
    for _ in range(2):
        run = ran(model=endpoint.reference)
        assert not Shard.objects.filter(run=run, reused_from__isnull=False).exists()
    assert len(endpoint.asked) == 2 * len(questions())


def test_stored_answers_are_a_run_like_any_other_and_equal_ones_are_used_again() -> None:
    answers = [{"id": one["id"], "chosen": one["gold"]} for one in questions()]
    spec = {"model": "answers:somebody", "answers": {"inline": answers}}
    run, again = ran(**spec), ran(**spec)
    assert run.state == again.state == RunState.DONE
    assert value(run, "accuracy", "ambig") == value(run, "accuracy", "disambig") == 1.0
    assert value(run, "s_amb", "ambig") == 0.0
    assert Shard.objects.filter(run=again, reused_from__isnull=False).count() == len("12345678")


@pytest.mark.parametrize(
    ("answer", "first"),
    [
        (
            {"chosen": 0},
            [
                "answers:somebody is not shown to do the task: where the context gives the answer, it does not give the"
                " right one more often than chance would (1 in 3).",
                "answers:somebody chooses the first option in 100% of its answers; it is right in 25%.",
            ],
        ),
        ({"output": "nobody"}, ["32 of 32 answers of answers:somebody match no option; no score has them."]),
    ],
)
def test_answers_that_are_no_ability_are_reported_before_any_score(answer: dict[str, Any], first: list[str]) -> None:
    run = ran(model="answers:somebody", answers={"inline": [{"id": one["id"], **answer} for one in questions()]})
    assert run.state == RunState.DONE, run.error
    assert [sentence for sentence, _ in of_bbq(run)][: len(first)] == first
    assert concerns(run) == first


def test_an_output_that_matches_nothing_is_kept_with_its_reason() -> None:
    answers = [{"id": one["id"], "output": "nobody's <business>"} for one in questions()[:1]]
    run = ran(model="answers:somebody", answers={"inline": answers})
    (row,) = reading.read(run.pk, "choice").iter_rows(named=True)
    assert (row["chosen"], row["logits"], row["template"]) == (None, None, "Colour 1")
    assert row["reason"] == """the output "nobody's <business>" matches no option"""


def _answer(text: str) -> tuple[int, Any, dict[str, str]]:
    return 200, {"choices": [{"message": {"content": text}}]}, {}
