"""GAP whole, on a tiny model: what is planned, answered and measured, and what is refused."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from plumbline.methods.gap.spec import CARD
from plumbline.spec.audit import parse
from plumbline.spec.banks.passages import NEITHER
from plumbline.spec.errors import InputError, ModelError
from plumbline.spec.measure import Measure
from tests.workers.probes.gap.made_up import passage
from workers.engine.loading import load_any, locate
from workers.probes.gap.probe import PROBES
from workers.probes.protocol import AnyModel

SCHEMA = {"logits": pl.String, "reason": pl.String, "chosen": pl.Int16, "score": pl.Float64, "n_tokens": pl.Int16}


def answered(
    loaded: AnyModel, passages: list[dict[str, Any]], **spec: Any
) -> tuple[dict[str, pl.DataFrame], list[Measure]]:
    params = {"folds": 3, "topics": 3, "words": 4, "epochs": 3, "permutations": 99, "resamples": 100}
    data = {"name": "t", "probe": "gap", "model": "path:./m", "bank": {"inline": passages}, "params": params, **spec}
    parsed = parse(parse(data).dump())
    parsed.check({})
    probe, records = PROBES["gap"], {}
    planned = probe.plan(parsed, {}, loaded.checkpoint)
    for shard in planned.shards:
        for name, columns in probe.execute(parsed, {}, shard.items, loaded, {}, lambda _: None).items():
            given = {key: kind for key, kind in SCHEMA.items() if key in columns}
            records[name] = pl.DataFrame(columns, schema_overrides=given)
            assert records[name].height == shard.rows[name]
            labels = {"group", "attribute", "item", "options", "condition"} & set(columns)
            assert {text for label in labels for text in columns[label]} <= planned.labels
    return records, probe.summarise(parsed, {}, lambda table, **_: records[table])


@pytest.fixture(scope="module")
def model(tiny_folders: tuple[Path, Path]) -> AnyModel:
    return load_any(locate(f"path:{tiny_folders[0]}"), device="cpu")


@pytest.fixture(scope="module")
def whole(model: AnyModel) -> tuple[dict[str, pl.DataFrame], list[Measure]]:
    long = passage(60)["text"] + " Then a long day went by." * 60
    return answered(model, [*map(passage, range(60)), passage(60, text=long)])


def test_each_passage_has_an_answer_out_of_fold(whole: tuple[dict[str, pl.DataFrame], list[Measure]]) -> None:
    choices = whole[0]["choice"]
    logits = choices["logits"].str.json_decode(pl.List(pl.Float64))
    assert logits.list.eval(pl.element().exp()).list.sum().to_list() == pytest.approx([1.0] * 61)
    assert logits.list.arg_max().to_list() == choices["chosen"].to_list()
    assert choices["options"][0] == '["Ann", "Eve", "NEITHER"]'
    assert set(choices["unknown"]) == {NEITHER}
    assert choices["group"].to_list()[:2] == ["feminine", "masculine"]


def test_a_passage_that_is_too_long_is_cut_and_counted(whole: tuple[dict[str, pl.DataFrame], list[Measure]]) -> None:
    assert whole[0]["choice"]["condition"].to_list() == [""] * 60 + ["cut"]
    told = next(one for one in whole[1] if one.statistic == "p_neither_difference")
    assert told.reason == "1 passages were cut to the model's length"


def test_measures_are_those_of_the_card(whole: tuple[dict[str, pl.DataFrame], list[Measure]]) -> None:
    _, measures = whole
    assert {one.statistic for one in measures} == {one.name for one in CARD.statistics}
    by_gender = {one.group_a: one for one in measures if one.statistic == "p_neither"}
    difference = next(one for one in measures if one.statistic == "p_neither_difference")
    assert by_gender["feminine"].value is not None
    assert by_gender["masculine"].value is not None
    assert difference.value == pytest.approx(by_gender["feminine"].value - by_gender["masculine"].value)
    assert (difference.n, difference.unit) == (61, "passage")
    assert difference.p_value is not None
    assert 0 < difference.p_value <= 1
    excess = {one.group_a: one for one in measures if one.statistic == "p_neither_excess"}
    beyond = next(one for one in measures if one.statistic == "p_neither_excess_difference")
    assert beyond.value == pytest.approx((excess["feminine"].value or 0) - (excess["masculine"].value or 0))
    rates = {one.group_a: one.value for one in measures if one.statistic == "neither_rate"}
    assert rates == {"feminine": pytest.approx(10 / 31), "masculine": pytest.approx(10 / 30)}
    assert len([one for one in measures if one.statistic == "topic_bias"]) == 3
    on_topics = [(one.group_a, one.category) for one in measures if one.statistic == "topic_p_neither"]
    assert on_topics == [(gender, f"topic {place}") for gender in ("feminine", "masculine") for place in (1, 2, 3)]
    correlated = {(one.group_a, one.variant) for one in measures if one.statistic == "topic_bias_correlation"}
    assert len(correlated) == 4


def test_words_that_cannot_be_spelled_stay_and_are_listed(
    whole: tuple[dict[str, pl.DataFrame], list[Measure]],
) -> None:
    words = whole[0]["association"]
    strange = words.filter(pl.col("attribute") == "ᚠᚢᚦ")
    assert strange["scorable"].to_list() == [False, False]
    told = [one.reason for one in whole[1] if one.statistic == "topic_bias" and "ᚠᚢᚦ" in one.attribute]
    assert told
    assert all(reason.startswith("not scorable, left out: ᚠᚢᚦ; ") for reason in told)


def test_equal_seeds_give_equal_records(model: AnyModel) -> None:
    passages = list(map(passage, range(40)))
    first, again, other = (answered(model, passages, seed=seed)[0]["choice"] for seed in (0, 0, 1))
    assert first.equals(again)
    assert not first.equals(other)


def test_a_passage_that_the_model_cannot_read_has_its_reason(model: AnyModel) -> None:
    text = passage(0)["text"].replace("Ann", "ᚠᚢᚦ")
    records, measures = answered(model, [passage(0, text=text, a="ᚠᚢᚦ"), *map(passage, range(1, 40))])
    first = records["choice"].row(0, named=True)
    assert first["logits"] is None
    assert first["chosen"] is None
    assert first["reason"] == "'ᚠᚢᚦ' is spelled with the unknown token"
    told = next(one for one in measures if one.statistic == "p_neither_difference")
    assert (told.n, told.reason) == (39, "1 have no answer")


def test_what_cannot_be_is_reported(model: AnyModel, tmp_path: Path) -> None:
    alike = [passage(number, text="Ann met Eve by it when she left.", pronoun_offset=23) for number in range(0, 40, 2)]
    alike += [passage(number, text="Ann met Eve by it when he left.", pronoun_offset=23) for number in range(1, 40, 2)]
    with pytest.raises(InputError, match="share too few words for 3 topics"):
        answered(model, alike)
    vectors = tmp_path / "words.txt"
    vectors.write_text("women 1 0\n")
    with pytest.raises(ModelError, match="of the kind static"):
        answered(load_any(locate(f"path:{vectors}")), list(map(passage, range(40))))
    with pytest.raises(InputError, match="no passage with a masculine pronoun"):
        answered(model, [passage(number) for number in range(0, 80, 2)])


def test_the_demo_model_says_that_it_saw_the_passages(model: AnyModel) -> None:
    _, measures = answered(model, list(map(passage, range(40))), model="bundled:masked-demo")
    told = next(one for one in measures if one.statistic == "p_neither_difference")
    assert "never report it" in told.reason
