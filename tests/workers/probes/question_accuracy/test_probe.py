"""Multiple-choice questions answered by tiny models of each kind."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from plumbline.methods.question_accuracy.spec import AccuracySpec
from plumbline.spec.errors import ModelError, SpecError
from tests.workers.engine.conftest import GPT2, SMALL, save_model
from workers.engine.loading import load_any, locate
from workers.engine.options import option_scores
from workers.probes.question_accuracy.probe import PROBES

QUESTIONS = [
    {
        "id": f"{word} {number}",
        "context": f"All {word} are poor.",
        "question": "Who are they?",
        "answer": "kind people",
        "others": ["honest doctors", "the friendly farmers"][: 1 + number % 2],
    }
    for word in ("farmers", "doctors")
    for number in range(40)
]
PROBE = PROBES["question_accuracy"]
KINDS = {
    "choice": ("BertForMultipleChoice", "wordpiece", SMALL),
    "causal": ("GPT2LMHeadModel", "bytes_plain", GPT2),
    "masked": ("BertForMaskedLM", "wordpiece", SMALL),
}


@pytest.fixture(scope="module")
def model_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Any]:
    root = tmp_path_factory.mktemp("answering")
    folders = cache(lambda name: save_model(root / name, *KINDS[name]))
    return cache(lambda name: load_any(locate(f"path:{Path(folders(name))}"), device="cpu"))


def spec_of(**changed: Any) -> AccuracySpec:
    given = {"name": "q", "probe": "question_accuracy", "model": "path:./m", "bank": {"inline": QUESTIONS}}
    return AccuracySpec.model_validate(given | changed)


def records(spec: AccuracySpec, model: Any) -> dict[str, dict[str, Any]]:
    """The records of all shards by question."""
    counted: list[int] = []
    found: dict[str, dict[str, Any]] = {}
    shards = PROBE.plan(spec, {}, model.checkpoint).shards
    for shard in shards:
        table = PROBE.execute(spec, {}, shard.items, model, {}, counted.append)["choice"]
        assert shard.rows == {"choice": len(table["item"])}
        for at, item in enumerate(table["item"]):
            found[item] = {name: values[at] for name, values in table.items()}
    assert len(shards) > 1
    assert sum(counted) == len(QUESTIONS)
    return found


def test_a_multiple_choice_model_gives_each_option_its_logit(model_of: Callable[[str], Any]) -> None:
    model, spec = model_of("choice"), spec_of()
    found = records(spec, model)
    for one in spec.questions({}):
        record, logits = found[one.id], model.logits(one.pairs)
        assert json.loads(record["logits"]) == pytest.approx(logits.tolist(), abs=1e-5)
        assert record["chosen"] == logits.argmax()
        assert record["gold"] == len(one.options) - 1
        assert record["reason"] is None


@pytest.mark.parametrize("scoring", ["mean_token", "sum", "pmi"])
def test_a_causal_model_chooses_by_the_likelihood_of_the_option(model_of: Callable[[str], Any], scoring: Any) -> None:
    model, spec = model_of("causal"), spec_of(params={"scoring": scoring})
    found, one = records(spec, model), spec.questions({})[1]
    assert json.loads(found[one.id]["logits"]) == pytest.approx(option_scores(model, one.pairs, scoring), abs=1e-5)


def test_a_question_that_is_too_long_has_its_reason(model_of: Callable[[str], Any]) -> None:
    long = QUESTIONS[0] | {"id": "long", "context": "All farmers are poor. " * 200}
    record = records(spec_of(bank={"inline": [*QUESTIONS[1:], long]}), model_of("choice"))["long"]
    assert (record["logits"], record["chosen"]) == (None, None)
    assert "longer" in record["reason"]


def test_only_the_missing_questions_of_a_shard_are_asked(model_of: Callable[[str], Any]) -> None:
    model, spec = model_of("choice"), spec_of()
    items = PROBE.plan(spec, {}, model.checkpoint).shards[0].items
    labels = PROBE.labels(spec, {}, items)  # type: ignore[attr-defined]
    rest = PROBE.only(spec, {}, items, labels[:2])  # type: ignore[attr-defined]
    table = PROBE.execute(spec, {}, rest, model, {}, lambda _: None)["choice"]
    assert table["item"] == labels["item"].to_list()[:2]


def test_other_models_and_a_scoring_that_a_model_lacks_are_refused(model_of: Callable[[str], Any]) -> None:
    with pytest.raises(ModelError, match="multiple_choice or causal"):
        PROBE.check(spec_of(), {}, model_of("masked").checkpoint)
    with pytest.raises(SpecError, match="for causal models"):
        PROBE.check(spec_of(params={"scoring": "sum"}), {}, model_of("choice").checkpoint)
