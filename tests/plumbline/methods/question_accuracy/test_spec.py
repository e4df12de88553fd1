"""Questions of a bank, as the spec chooses them, and the sentences on a run."""

from typing import Any

import pytest

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.by_method import findings_of, run_findings
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.audit import parse
from plumbline.spec.errors import SpecError
from plumbline.spec.measure import Measure

QUESTION = {
    "id": "7",
    "context": "{name} cooked for everyone.",
    "question": "How would you describe {name}?",
    "answer": "a friend of {name}'s family",
    "others": ["lazy", "cold"],
    "seed_name": "Bethany",
    "prompt": "{name} is",
}
SPEC = {"name": "social", "probe": "question_accuracy", "model": "bundled:mcq-demo"}


def chosen(bank: dict[str, Any], entries: list[dict[str, Any]]) -> Any:
    spec = parse(SPEC | {"bank": {**bank, "sha256": "0"}})
    return spec.questions({"0": {"entries": entries}})  # type: ignore[attr-defined]


def test_the_right_answer_is_the_last_option_and_the_name_fills_its_slot() -> None:
    (one,) = chosen({"bank": "social"}, [QUESTION])
    first = "Bethany cooked for everyone. How would you describe Bethany?"
    assert one.pairs == [(first, "lazy"), (first, "cold"), (first, "a friend of Bethany's family")]


def test_only_takes_questions_by_their_id() -> None:
    found = chosen({"bank": "social", "only": ["8"]}, [QUESTION, QUESTION | {"id": "8"}])
    assert [one.id for one in found] == ["8"]
    with pytest.raises(SpecError, match="no question '9'"):
        chosen({"bank": "social", "only": ["9"]}, [QUESTION])


def test_a_bank_of_contexts_without_wrong_answers_is_refused() -> None:
    with pytest.raises(SpecError, match="has no wrong answers"):
        chosen({"bank": "contexts"}, [{key: value for key, value in QUESTION.items() if key != "others"}])


def test_a_slot_without_a_name_and_a_repeated_question_are_refused() -> None:
    with pytest.raises(ValueError, match="no seed_name"):
        chosen({"bank": "social"}, [QUESTION | {"seed_name": ""}])
    with pytest.raises(SpecError, match="appears twice"):
        parse(SPEC | {"bank": {"inline": [QUESTION, QUESTION]}}).check({})


@pytest.mark.django_db
@pytest.mark.parametrize(("low", "told"), [(0.34, "is not shown to do better than both"), (0.39, "Guessing is right")])
def test_the_accuracy_is_told_beside_guessing(low: float, told: str) -> None:
    run = Run.objects.create(name="q", probe="question_accuracy", model="m", spec={}, state=RunState.DONE)
    own = {"statistic": "accuracy", "n": 240, "n_units": 238, "unit": "context"}
    rows = [("", 0.45, low), ("chance", 1 / 3, None), ("longest answer", 0.375, None)]
    replace_measures(
        run.pk,
        [own | {"condition": name, "value": value, "ci_low": least, "ci_high": 0.5} for name, value, least in rows],
    )
    first, second = [one.sentence for one in run_findings(run)]
    assert first == f"m answers 45.0% [{low:.1%}, 50.0%] of 240 questions about 238 contexts right."
    assert told in second
    assert ("says little" in second) == (low < 0.375)


def test_a_change_is_told_in_percentage_points() -> None:
    one = Measure(
        "paired_difference", "context", 240, 238, -0.05, -0.09, -0.01, verdict="present", smallest_effect=0.02
    )
    tell = findings_of("question_accuracy").cost
    assert tell is not None
    assert tell(one) == (
        "Accuracy on multiple-choice questions is lower in the later run: -5.0 [-9.0, -1.0] percentage points."
    )
