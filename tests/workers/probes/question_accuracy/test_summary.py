"""The accuracy on multiple-choice questions and its change, against figures worked by hand."""

from typing import Any

import polars as pl
import pytest

from plumbline.methods.question_accuracy.spec import AccuracySpec
from plumbline.spec.measure import Measure
from workers.probes.protocol import Audited
from workers.probes.question_accuracy.comparison import FEW, SELDOM, compare
from workers.probes.question_accuracy.summary import summarise

N = 120


def spec(size: int = N, **changed: Any) -> AccuracySpec:
    questions = [
        {"id": str(at), "context": f"context {at}", "question": "Why?", "answer": "because", "others": ["no", "so"]}
        for at in range(size)
    ]
    given = {"name": "q", "probe": "question_accuracy", "model": "bundled:mcq-demo", "bank": {"inline": questions}}
    return AccuracySpec.model_validate(given | changed)


def records(chosen: list[int | None]) -> pl.DataFrame:
    return pl.DataFrame(
        {
            "item": [str(at) for at in range(len(chosen))],
            "chosen": chosen,
            "gold": [2] * len(chosen),
            "reason": ["too long" if one is None else None for one in chosen],
        },
        schema_overrides={"chosen": pl.Int16, "gold": pl.Int16, "reason": pl.String},
    )


def of(chosen: list[int | None]) -> dict[tuple[str, str], Measure]:
    own = spec(len(chosen))
    return {(one.statistic, one.condition): one for one in summarise(own, own.questions({}), records(chosen))}


def test_the_accuracy_stands_beside_two_ways_to_guess() -> None:
    found = of([2, 2, 0, 1])
    own = found["accuracy", ""]
    assert own.value == 0.5
    assert (own.n, own.n_units, own.unit) == (4, 4, "context")
    assert (own.ci_low or 1.0) < 0.5 < (own.ci_high or 0.0)
    assert found["accuracy", "chance"].value == pytest.approx(1 / 3)
    assert found["accuracy", "longest answer"].value == 1.0


def test_a_question_without_an_answer_does_not_count_and_has_its_reason() -> None:
    found = of([2, None])
    assert found["accuracy", ""].value == 1.0
    assert found["scorable_share", ""].value == 0.5
    assert (found["not_scorable", ""].value, found["not_scorable", ""].reason) == (1, "too long")
    assert of([None])["accuracy", ""].reason == "no question could be answered"


def audited(chosen: list[int | None], size: int = N) -> Audited[AccuracySpec]:
    return Audited(spec(size), {}, lambda *_, **__: records(chosen))


def test_a_variant_that_answers_worse_has_a_change_below_zero() -> None:
    before: list[int | None] = [2] * N
    after: list[int | None] = [0 if at % 4 == 0 else 2 for at in range(N)]
    (change,) = compare(audited(before), audited(after)).measures
    assert change.value == pytest.approx(-0.25)
    assert (change.verdict, change.attribute, change.n_units, change.smallest_effect) == (
        "present", "accuracy", N, 0.02,
    )  # fmt: skip


def test_answers_that_change_to_either_side_are_no_change_of_the_accuracy() -> None:
    before: list[int | None] = [2 if at % 2 else 0 for at in range(N)]
    after: list[int | None] = [0 if at < 20 and at % 2 else 2 if at < 20 else one for at, one in enumerate(before)]
    (change,) = compare(audited(before), audited(after)).measures
    assert change.value == 0
    assert change.verdict == "undecided"


def test_few_contexts_or_few_changed_answers_allow_no_verdict() -> None:
    (few,) = compare(audited([2] * 50, 50), audited([0] * 50, 50)).measures
    assert (few.reason, few.p_value) == (FEW, None)
    (seldom,) = compare(audited([2] * N), audited([0, *([2] * (N - 1))])).measures
    assert (seldom.reason, seldom.p_value, seldom.ci_low, seldom.equivalence_p) == (SELDOM, 1.0, None, None)
    assert seldom.value == pytest.approx(-1 / N)


def test_only_questions_that_both_runs_answered_are_paired() -> None:
    found = compare(audited([2, 2, None], 3), audited([2, 0, 2, 2], 4))
    assert (found.paired, found.not_scorable, found.only_first, found.only_second) == (2, 1, 0, 1)
