"""Embeddings of names whole, on a tiny model: what a classifier tells, chance, the map, and what is refused."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from plumbline.methods.name_embedding.spec import CARD
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError, ModelError, SpecError
from plumbline.spec.measure import Measure
from workers.engine.loading import load_any, locate
from workers.probes.name_embedding.embedding import Embedded, embedded
from workers.probes.name_embedding.probe import PROBES
from workers.probes.protocol import AnyModel

SCHEMA = {"logits": pl.String, "reason": pl.String, "score": pl.Float64, "n_tokens": pl.Int16}
CONTEXTS = [
    {"id": f"c{place}", "context": text, "question": "How is {name}?", "prompt": "{name} is", "answer": "warm"}
    for place, text in enumerate(("{name} should be in.", "most people were warm, and {name} poor", "are all men?"))
]
NAMES = [
    {"name": f"{letter}{'aeiou'[place % 5]}{'lnrst'[place // 5]}a", "group": kind, "gender": kind}
    for kind, letter in (("F", "m"), ("M", "k"))
    for place in range(10)
]
SHORT = {"splits": 6}


def ran(model: AnyModel, names: list[dict[str, Any]], **spec: Any) -> tuple[dict[str, pl.DataFrame], list[Measure]]:
    own = {"names": {"inline": names}, "contexts": {"inline": CONTEXTS}, "params": SHORT, **spec}
    parsed = parse(parse({"name": "t", "probe": "name_embedding", "model": "path:./m", **own}).dump())
    parsed.check({})
    probe, records = PROBES["name_embedding"], {}
    (shard,) = probe.plan(parsed, {}, model.checkpoint).shards
    labels = probe.plan(parsed, {}, model.checkpoint).labels
    for table, columns in probe.execute(parsed, {}, shard.items, model, {}, lambda _: None).items():
        given = {key: kind for key, kind in SCHEMA.items() if key in columns}
        records[table] = pl.DataFrame(columns, schema_overrides=given)
        assert shard.rows[table] in (None, records[table].height)
        named = {"template", "group", "attribute", "item", "options", "category", "condition", "polarity", "name"}
        assert {text for label in named & set(columns) for text in columns[label]} <= labels
    assert shard.expected == records["choice"].height
    return records, probe.summarise(parsed, {}, lambda table, **_: records[table])


@pytest.fixture(scope="module")
def model(tiny_folders: tuple[Path, Path]) -> AnyModel:
    return load_any(locate(f"path:{tiny_folders[0]}"), device="cpu")


@pytest.fixture(scope="module")
def whole(model: AnyModel) -> tuple[dict[str, pl.DataFrame], list[Measure]]:
    return ran(model, NAMES)


def value(measures: list[Measure], statistic: str, condition: str, variant: str = "") -> float:
    (found,) = [
        one for one in measures if (one.statistic, one.condition, one.variant) == (statistic, condition, variant)
    ]
    assert found.value is not None
    return found.value


def test_each_name_is_answered_in_each_split_on_one_side(whole: tuple[dict[str, pl.DataFrame], list[Measure]]) -> None:
    choices = whole[0]["choice"]
    sizes = choices.group_by("condition", "item").len()
    assert sizes.filter(pl.col("item").str.ends_with("test"))["len"].unique().to_list() == [7]
    assert sizes.filter(pl.col("item").str.ends_with("train"))["len"].unique().to_list() == [13]
    for logits, chosen in choices.select("logits", "chosen").iter_rows():
        log_p = np.array(json.loads(logits))
        assert np.exp(log_p).sum() == pytest.approx(1, abs=1e-4)
        assert log_p[chosen] == log_p.max()


def test_the_first_letter_is_told_from_embeddings_and_not_from_length(
    whole: tuple[dict[str, pl.DataFrame], list[Measure]],
) -> None:
    _, measures = whole
    assert value(measures, "classifier_accuracy", "train") == 1
    assert value(measures, "classifier_accuracy", "test") > 0.9
    assert value(measures, "classifier_accuracy", "test", "subword count and frequency") < 0.7
    assert value(measures, "classifier_accuracy", "chance") == 0.5
    assert value(measures, "accuracy_beyond_confounds", "test") > 0.3
    assert {one.statistic for one in measures} == {statistic.name for statistic in CARD.statistics}


def test_accuracies_are_the_mean_over_splits_of_the_answers(
    whole: tuple[dict[str, pl.DataFrame], list[Measure]],
) -> None:
    records, measures = whole
    own = records["choice"].filter((pl.col("condition") == "embedding") & (pl.col("polarity") == "test"))
    right = (own["chosen"] == own["gold"]).mean()
    assert value(measures, "classifier_accuracy", "test") == pytest.approx(right)


def test_an_embedding_is_the_mean_over_subwords_and_contexts(model: AnyModel) -> None:
    contexts = parse(
        {
            "name": "t",
            "probe": "name_embedding",
            "model": "path:./m",
            "names": {"inline": NAMES},
            "contexts": {"inline": CONTEXTS},
        }
    ).texts_of({})  # type: ignore[attr-defined]
    assert [one.id for one in contexts] == ["c0", "c1"]
    both = embedded(model, "mala", contexts, lambda _: None)  # type: ignore[arg-type]
    alone = [embedded(model, "mala", [one], lambda _: None) for one in contexts]  # type: ignore[arg-type]
    assert isinstance(both, Embedded)
    assert both.subwords == 4
    vectors = [one.vector for one in alone if isinstance(one, Embedded)]
    assert both.vector == pytest.approx(np.mean(vectors, axis=0), abs=1e-5)


def test_a_name_that_the_model_cannot_spell_has_no_place_and_keeps_its_reason(model: AnyModel) -> None:
    odd = {"name": "ᚠᚢ", "group": "F", "gender": "F"}
    own = parse(
        {
            "name": "t",
            "probe": "name_embedding",
            "model": "path:./m",
            "names": {"inline": [*NAMES, odd]},
            "contexts": {"inline": CONTEXTS},
            "params": SHORT,
        }
    )
    records = PROBES["name_embedding"].execute(own, {}, None, model, {}, lambda _: None)
    assert "ᚠᚢ" not in records["choice"]["name"]
    reasons = dict(zip(records["association"]["attribute"], records["association"]["reason"], strict=True))
    assert "unknown token" in reasons["ᚠᚢ"]
    assert reasons["mala"] is None


def test_data_that_cannot_be_classified_are_refused(model: AnyModel) -> None:
    with pytest.raises(SpecError, match="names with two genders or races"):
        ran(model, [{**one, "gender": ""} for one in NAMES])
    with pytest.raises(SpecError, match="has no gender"):
        ran(model, [*NAMES, {"name": "Zed"}])
    with pytest.raises(SpecError, match="give at least 3"):
        ran(model, [*NAMES, {"name": "Zed", "gender": "X"}])
    with pytest.raises(SpecError, match="no context has the slot"):
        ran(model, NAMES, contexts={"inline": CONTEXTS[2:]})
    odd = [{"name": name, "group": "X", "gender": "X"} for name in ("ᚠᚢ", "ᚢᚠ", "ᚠᚠ")]
    with pytest.raises(InputError, match="no name of the gender 'X'"):
        ran(model, [*NAMES, *odd])


def test_a_model_without_states_in_context_is_refused(model: AnyModel) -> None:
    class Static:
        kind = "static"

    spec = parse(
        {
            "name": "t",
            "probe": "name_embedding",
            "model": "path:./m",
            "names": {"inline": NAMES},
            "contexts": {"inline": CONTEXTS},
        }
    )
    with pytest.raises(ModelError, match="takes these kinds: masked, causal, encoder"):
        PROBES["name_embedding"].check(spec, {}, Static())  # type: ignore[arg-type]
