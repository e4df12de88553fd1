"""Answered questions of BBQ as samples of Every Eval Ever."""

import json
from pathlib import Path
from typing import Any

import pytest

from plumbline.audits.models import Run
from plumbline.packing.every_eval_ever.writing import write
from tests.plumbline.methods.bbq.answered import BBQ, CHOSEN, MEASURES, QUESTIONS, answer
from tests.plumbline.methods.conftest import MakeRun
from tests.plumbline.packing.every_eval_ever.test_every_eval_ever import EVALUATOR, schema

Samples = list[dict[str, Any]]


def exported(run: Run, out: Path) -> tuple[Samples, dict[str, Any]]:
    """The samples, valid by the published schema, and what was left out."""
    samples, _, left = (out / path for path in write(run, EVALUATOR, out))
    found = [json.loads(line) for line in samples.read_text().splitlines()]
    for one in found:
        schema("instance_level_eval.schema.json").validate(one)
    return found, json.loads(left.read_text())


@pytest.fixture
def run(make_run: MakeRun) -> Run:
    made = make_run(BBQ, MEASURES)
    answer(made.pk)
    return made


def test_a_question_is_right_where_the_model_chose_the_right_option(run: Run, tmp_path: Path) -> None:
    samples, left = exported(run, tmp_path)
    asked = [(one, place) for one, place in zip(QUESTIONS, CHOSEN, strict=True) if place is not None]
    assert [one["input"]["raw"] for one in samples] == [f"{one['context']} {one['question']}" for one, _ in asked]
    assert [one["input"]["reference"] for one in samples] == [[one["options"][one["gold"]]] for one, _ in asked]
    assert [one["metadata"]["chosen"] for one in samples] == [one["options"][place] for one, place in asked]
    right = [place == one["gold"] for one, place in asked]
    assert [one["evaluation"]["is_correct"] for one in samples] == right
    assert [one["evaluation"]["score"] for one in samples] == list(map(float, right))
    assert 0 < sum(right) < len(right)
    assert left["items_without_score"] == 1
    assert left["samples"] == ""


def test_nothing_that_was_not_written_is_an_output(run: Run, tmp_path: Path) -> None:
    sample = exported(run, tmp_path)[0][0]
    assert sample["output"] == {"raw": []}
    assert sample["answer_attribution"] == []
    assert "Nothing was written" in sample["metadata"]["about"]
