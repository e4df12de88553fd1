"""The asking phase: options scored once, questions formed, words tallied; with a tiny model of each kind."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from plumbline.methods.sodapop.spec import SodapopSpec
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError, ModelError, SpecError
from tests.workers.engine.conftest import GPT2, SMALL, save_model
from workers.engine.causal import CausalModel
from workers.engine.loading import load_any, locate
from workers.engine.multiple_choice import MultipleChoiceModel
from workers.engine.options import option_scores
from workers.probes.protocol import Done, ShardPlan
from workers.probes.sodapop import asking
from workers.probes.sodapop.asking import Asking

CONTEXTS = [
    {
        "id": "village",
        "context": "{name} is a doctor of the village.",
        "question": "How would you describe {name}?",
        "prompt": "{name} is",
        "answer": "kind and honest",
    },
    {
        "id": "farm",
        "context": "All farmers are poor and {name} is friendly.",
        "question": "Who is {name}?",
        "prompt": "{name} should be",
        "answer": "the friendly {name}",
    },
]
NAMES = [{"name": "Nurse", "group": "a"}, {"name": "Mostly", "group": "b"}]
WORDS = ["warm", "poor", "cheerful", "confident", "women", "men", "people"]
Folder = Callable[[str], Path]
Records = dict[str, pl.DataFrame]


@pytest.fixture(scope="module")
def folder_of(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    root = tmp_path_factory.mktemp("asking")
    kinds = {
        "choice": ("BertForMultipleChoice", "wordpiece", SMALL),
        "causal": ("GPT2LMHeadModel", "bytes_plain", GPT2),
        "masked": ("BertForMaskedLM", "wordpiece", SMALL),
    }
    return cache(lambda name: save_model(root / name, *kinds[name]))


@pytest.fixture(scope="module")
def model_of(folder_of: Folder) -> Callable[[str], Any]:
    return cache(lambda name: load_any(locate(f"path:{folder_of(name)}"), device="cpu"))


def spec_of(**changes: Any) -> SodapopSpec:
    spec = {
        "name": "test",
        "probe": "sodapop",
        "model": "path:./model",
        "generator": "path:./generator",
        "names": {"inline": NAMES},
        "contexts": {"inline": CONTEXTS},
        **changes,
    }
    parsed = parse(spec)
    assert isinstance(parsed, SodapopSpec)
    return parsed


def generated(each: int = 5) -> pl.DataFrame:
    """Distractors as the first phase leaves them: two shards, one a context, different words for each name."""
    rows = [
        {"shard": shard, "context": context["id"], "name": name["name"], "text": f"{word} and {other}"}
        for shard, context in enumerate(CONTEXTS)
        for start, name in enumerate(NAMES)
        for word, other in zip(WORDS[start : start + each], WORDS[::-1], strict=False)
    ]
    return pl.DataFrame(rows)


def done(found: pl.DataFrame) -> list[Done]:
    return [
        Done(shard, f"key {shard}", {"cells": [[shard, 0], [shard, 1]]}, {"distractor": len(found.filter(shard=shard))})
        for shard in range(len(CONTEXTS))
    ]


def plan(spec: SodapopSpec, model: Any, found: pl.DataFrame) -> list[ShardPlan]:
    return Asking().plan(spec, {}, model.checkpoint, done(found)).shards


def execute(spec: SodapopSpec, model: Any, found: pl.DataFrame, counted: list[int] | None = None) -> Records:
    """All shards, one after the other."""

    def read(table: str, **where: Any) -> pl.DataFrame:
        assert table == "distractor"
        return found.filter(pl.all_horizontal(pl.col(column).is_in(values) for column, values in where.items()))

    memo: dict[Any, Any] = {}
    progress = counted.append if counted is not None else lambda _: None
    every = [Asking().execute(spec, {}, shard.items, model, memo, progress, read) for shard in plan(spec, model, found)]
    return {
        table: pl.concat([pl.DataFrame(one[table], schema_overrides=SCHEMA, strict=False) for one in every])
        for table in ("answer", "tally")
    }


SCHEMA = {"logit": pl.Float64, "reason": pl.String, "word": pl.String, "expected": pl.Float64}


@pytest.mark.parametrize("kind", ["choice", "causal"])
def test_each_option_is_recorded_once_with_its_own_score(model_of: Callable[[str], Any], kind: str) -> None:
    model, found, counted = model_of(kind), generated(), list[int]()
    records = execute(spec_of(), model, found, counted)
    answers = records["answer"]
    assert answers["place"].to_list() == [*range(-1, 5)] * 4
    assert answers["reason"].null_count() == len(answers) == 24
    assert sum(counted) == len(answers) + len(records["tally"])
    row = answers.filter(context="farm", name="Mostly", place=3).row(0, named=True)
    if isinstance(model, MultipleChoiceModel):
        first = "All farmers are poor and Mostly is friendly. Who is Mostly?"
        expected = model.logits([(first, row["text"])])[0]
    else:
        assert isinstance(model, CausalModel)
        first = "All farmers are poor and Mostly is friendly. Mostly should be"
        expected = option_scores(model, [(first, row["text"])], "mean_token")[0]
    assert row["logit"] == pytest.approx(expected, abs=1e-5)
    assert answers.filter(context="farm", name="Mostly", place=-1)["text"].item() == "the friendly Mostly"


def test_tallies_follow_from_the_recorded_answers(model_of: Callable[[str], Any]) -> None:
    records = execute(spec_of(), model_of("choice"), generated())
    for cell in records["answer"].partition_by("context", "name"):
        of_cell = records["tally"].filter(context=cell["context"][0], name=cell["name"][0])
        logits, texts = cell["logit"].to_list(), cell["text"].to_list()
        shown, won = dict[str, int](), dict[str, int]()
        for first in (1, 3):
            three = [logits[0], logits[first], logits[first + 1]]
            chosen = int(np.argmax(three))
            for index in (1, 2):
                for word in {*texts[first + index - 1].split()}:
                    shown[word] = shown.get(word, 0) + 1
                    won[word] = won.get(word, 0) + (chosen == index)
        assert dict(of_cell.select("word", "shown").iter_rows()) == shown
        assert dict(of_cell.select("word", "chosen").iter_rows()) == won


def test_questions_depend_neither_on_the_order_of_the_distractors_nor_on_blocks(
    model_of: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    once = execute(spec_of(), model_of("choice"), generated())
    monkeypatch.setattr(asking, "AT_ONCE", 1)
    again = execute(spec_of(), model_of("choice"), generated().sample(fraction=1, shuffle=True, seed=3))
    assert once["answer"].drop("logit").equals(again["answer"].drop("logit"))
    np.testing.assert_allclose(once["answer"]["logit"], again["answer"]["logit"], atol=1e-5)
    assert once["tally"].drop("expected").equals(again["tally"].drop("expected"))
    other = execute(spec_of(seed=1), model_of("choice"), generated())
    assert not once["answer"].equals(other["answer"])


def test_a_shared_pool_asks_every_name_the_same_questions(model_of: Callable[[str], Any]) -> None:
    answers = execute(spec_of(params={"pool": "shared"}), model_of("choice"), generated())["answer"]
    one, other = (answers.filter(context="village", name=name["name"]).sort("place") for name in NAMES)
    assert one["text"].to_list() == other["text"].to_list()
    assert len(one) == 1 + len(set(generated().filter(context="village")["text"]))
    assert one["logit"].to_list() != other["logit"].to_list()


def test_a_shared_pool_is_cut_into_shards_of_some_names(
    model_of: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = spec_of(params={"pool": "shared", "max_distractors": 4})
    whole = execute(spec, model_of("choice"), generated())
    monkeypatch.setattr(asking, "SHARED_ROWS", 1)
    shards = plan(spec, model_of("choice"), generated())
    assert [shard.items for shard in shards] == [{"context": at, "names": [name]} for at in (0, 1) for name in (0, 1)]
    found = execute(spec, model_of("choice"), generated())
    assert found["answer"].drop("logit").equals(whole["answer"].drop("logit"))
    assert found["answer"].group_by("context", "name").len()["len"].to_list() == [5] * 4


def test_the_rows_of_a_shard_are_known_before_it_is_asked(model_of: Callable[[str], Any]) -> None:
    found = generated()
    shards = plan(spec_of(), model_of("choice"), found)
    assert [shard.rows for shard in shards] == [{"answer": 12, "tally": None}] * 2
    assert shards[0].items == {"shard": 0, "cells": [(0, 0), (0, 1)]}
    assert all(shard.inputs["after"] == f"key {number}" for number, shard in enumerate(shards))


def test_models_with_scores_have_the_inputs_and_params_of_earlier_releases(model_of: Callable[[str], Any]) -> None:
    spec = spec_of()
    assert Asking().params(spec) == {"scoring": "mean_token", "pool": "own"}
    assert spec.generating_params() == {
        "variant": "paper",
        "k": 3,
        "top": 10,
        "max_distractors": 10000,
        "keep_shorter": False,
    }
    assert {key for shard in plan(spec, model_of("choice"), generated()) for key in shard.inputs} == {"after", "cells"}
    asked = spec_of(params={"max_tokens": 64, "concurrency": 2})
    assert Asking().params(asked) == {"scoring": "mean_token", "pool": "own", "max_tokens": 64}
    assert asked.generating_params() == spec.generating_params()
    assert (spec.variant, asked.variant) == ("", "max_tokens 64")


def test_what_decides_the_answers_is_in_the_inputs(model_of: Callable[[str], Any]) -> None:
    (first, _), (other, _) = (
        plan(spec_of(names={"inline": [{**NAMES[0], "group": group}, NAMES[1]]}), model_of("choice"), generated())
        for group in ("a", "c")
    )
    assert first.inputs != other.inputs
    (causal, _) = plan(spec_of(), model_of("causal"), generated())
    assert first.inputs["cells"][0] != causal.inputs["cells"][0]


def test_a_distractor_that_cannot_be_read_stays_with_its_reason_and_is_not_asked(
    model_of: Callable[[str], Any],
) -> None:
    found = generated()
    odd = pl.DataFrame({"shard": [0], "context": ["village"], "name": ["Nurse"], "text": ["ξένος"]})
    answers = execute(spec_of(), model_of("choice"), pl.concat([found, odd]))["answer"]
    (row,) = answers.filter(text="ξένος").rows(named=True)
    assert (row["logit"], row["reason"]) == (None, "'ξένος' is spelled with the unknown token")
    assert answers["logit"].null_count() == 1


def test_a_name_without_distractors_has_its_right_answer_only(model_of: Callable[[str], Any]) -> None:
    found = generated().filter(~((pl.col("context") == "farm") & (pl.col("name") == "Nurse")))
    records = execute(spec_of(), model_of("choice"), found)
    assert records["answer"].filter(context="farm", name="Nurse")["place"].to_list() == [-1]
    assert records["tally"].filter(context="farm", name="Nurse").is_empty()


def test_a_shard_that_has_more_rows_than_ids_is_refused(
    model_of: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(asking, "MOST_ROWS", 5)
    with pytest.raises(InputError, match=r"context 'village' makes 14 options for 2 names, more than the 5"):
        execute(spec_of(params={"pool": "shared"}), model_of("choice"), generated(3))


@pytest.mark.parametrize(
    ("kind", "changes", "error", "told"),
    [
        ("masked", {}, ModelError, "is of the kind masked; the probe sodapop asks multiple_choice, causal and"),
        ("choice", {"params": {"scoring": "pmi"}}, SpecError, "'pmi' is defined for causal models only"),
        ("causal", {"params": {"instruction": "One letter."}}, SpecError, "params.instruction is for answers in text"),
        (
            "choice",
            {"names": {"inline": [NAMES[0], {"name": "Ξένος", "group": "b"}]}},
            SpecError,
            "the name 'Ξένος' is spelled with the unknown token",
        ),
        (
            "choice",
            {"contexts": {"inline": [{**CONTEXTS[0], "context": "{name} is warm. " * 40}]}},
            SpecError,
            "the right answer of context 'village' with the name 'Nurse': longer than the model's 64 tokens",
        ),
        (
            "causal",
            {"contexts": {"inline": [{**CONTEXTS[0], "context": "{name} is warm. " * 40}]}},
            SpecError,
            "the right answer of context 'village' with the name 'Nurse': longer than the model's 64 tokens",
        ),
    ],
)
def test_what_cannot_be_asked_is_reported_at_planning(
    model_of: Callable[[str], Any], kind: str, changes: dict[str, Any], error: type[Exception], told: str
) -> None:
    with pytest.raises(error, match=told):
        plan(spec_of(**changes), model_of(kind), generated())
