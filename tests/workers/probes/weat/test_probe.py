"""WEAT whole: words in templates or from a file of vectors, effect sizes worked by hand, words that are left out."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import torch

from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError, SpecError
from plumbline.spec.measure import Measure
from workers.engine.loading import load_any, locate
from workers.probes.protocol import AnyModel, Model
from workers.probes.weat.probe import PROBES

SCHEMA = {"score": pl.Float64, "reason": pl.String, "log_p_target": pl.Float64, "log_p_prior": pl.Float64}
WORDS = {
    "targets": {"x": {"inline": ["women", "warm"]}, "y": {"inline": ["men", "poor"]}},
    "attributes": {"a": {"inline": ["people", "be"]}, "b": {"inline": ["person", "all"]}},
}
TEMPLATES = {"inline": ["{target} are {attribute}.", "most {attribute} should be {target}"]}


def ran(model: AnyModel, **spec: Any) -> tuple[pl.DataFrame, list[Measure]]:
    parsed = parse({"name": "test", "probe": "weat", "model": "path:./model", **WORDS, **spec})
    parsed.check({})
    # As a run stores and reads it.
    parsed, probe = parse(parsed.dump()), PROBES["weat"]
    planned = probe.plan(parsed, {}, model.checkpoint)
    records = [probe.execute(parsed, {}, one.items, model, {}, lambda _: None)["association"] for one in planned.shards]
    frame = pl.concat([pl.DataFrame(one, schema_overrides=SCHEMA) for one in records])
    assert {text for name in ("template", "group", "attribute") for text in frame[name]} <= planned.labels
    assert [len(one["score"]) for one in records] == [one.rows["association"] for one in planned.shards]
    return frame, probe.summarise(parsed, {}, lambda *_, **__: frame)


@pytest.fixture(scope="module")
def model(tiny_folders: tuple[Path, Path]) -> AnyModel:
    return load_any(locate(f"path:{tiny_folders[0]}"), device="cpu")


Saved = Callable[[str], AnyModel]


@pytest.fixture
def static(tmp_path: Path) -> Saved:
    def saved(text: str) -> AnyModel:
        path = tmp_path / "words.txt"
        path.write_text(text)
        return load_any(locate(f"path:{path}"))

    return saved


def value_of(measures: list[Measure], statistic: str, **where: str) -> Measure:
    wanted = {"variant": "", "template": "", **where}
    (found,) = (
        one
        for one in measures
        if one.statistic == statistic and all(getattr(one, key) == value for key, value in wanted.items())
    )
    return found


def test_a_word_is_embedded_with_the_other_slot_masked(model: AnyModel) -> None:
    records, _ = ran(model, templates={"inline": ["{target} are {attribute}."]})
    assert hasattr(model, "model")

    def state(text: str, position: int) -> Any:
        ids = model.checkpoint.tokenizer(text, return_tensors="pt")["input_ids"]
        with torch.inference_mode():
            return model.model.base_model(ids).last_hidden_state[0, position].double().numpy()

    target, attribute = state("women are [MASK].", 1), state("[MASK] are people.", 3)
    cosine = target @ attribute / np.linalg.norm(target) / np.linalg.norm(attribute)
    found = records.filter(pl.col("group") == "women", pl.col("attribute") == "people")["score"]
    assert found.to_list() == pytest.approx([cosine], abs=1e-5)


def test_word_vectors_give_the_effect_size_worked_by_hand(static: Saved) -> None:
    # Cosines are 1 with the own pole and 0 with the other: s is 1, 1 and -1, -1; d = 2 / sqrt(4/3).
    model = static("women 1 0\nwarm 2 0\nmen 0 1\npoor 0 3\npeople 1 0\nbe 1 0\nperson 0 1\nall 0 1\n")
    records, measures = ran(model)
    effect = value_of(measures, "effect_size")
    assert effect.value == pytest.approx(2 / np.sqrt(4 / 3))
    assert effect.p_value == pytest.approx(2 / 6)
    assert (effect.n, effect.n_units, effect.group_a, effect.category) == (16, 4, "x", "a - b")
    assert value_of(measures, "differential_association").value == pytest.approx(2)
    assert value_of(measures, "word_association", group_a="men").value == pytest.approx(-1)
    strict = value_of(measures, "effect_size", variant="one-sided")
    assert (strict.p_value, "no split of 6 is greater" in strict.reason) == (None, True)
    assert records["template"].unique().to_list() == [""]


def test_words_without_a_vector_are_left_out_and_named(static: Saved) -> None:
    model = static("women 1 0\nwarm 2 1\nmen 0 1\npeople 1 0\nbe 1 0\nperson 0 1\nall 0 1\n")
    records, measures = ran(model)
    reasons = records.filter(~pl.col("scorable"))["reason"].unique().to_list()
    assert reasons == ["'poor' has no vector in words.txt"]
    effect = value_of(measures, "effect_size")
    assert effect.n_units == 3
    assert "1 target and 0 attribute words without an embedding are left out (2 and 1 targets stay)" in effect.reason
    assert value_of(measures, "effect_size", variant="uncut").n_units == 3
    assert value_of(measures, "scorable_share", group_a="y").value == 0.5


def test_the_spread_over_the_cuts_of_the_larger_set_is_reported(static: Saved) -> None:
    """Three against two: the pole of the third word decides how far the sets lie apart in a cut that has it."""
    model = static("women 1 0\nwarm 2 0\nkind 1 1\nmen 0 1\npoor 0 3\npeople 1 0\nbe 1 0\nperson 0 1\nall 0 1\n")
    targets = {"x": {"inline": ["women", "warm", "kind"]}, "y": {"inline": ["men", "poor"]}}
    _, measures = ran(model, targets=targets, params={"cuts": 50})
    found = {one.condition: one for one in measures if one.statistic == "effect_size_of_cuts"}
    # s is 1, 1, 0 and -1, -1: a cut keeps 1 and 1 (d = 2 / sqrt(4/3)) or 1 and 0 (d = 1.5 / sqrt(2.75/3)).
    assert found["greatest"].value == pytest.approx(2 / np.sqrt(4 / 3))
    assert found["least"].value == pytest.approx(1.5 / np.sqrt(2.75 / 3))
    low, high, deviation = (found[name].value for name in ("least", "greatest", "standard deviation"))
    assert low is not None
    assert high is not None
    assert deviation is not None
    assert 0 < deviation < high - low
    assert {(one.n, one.n_units, one.unit, one.p_value) for one in found.values()} == {(50, 50, "cut", None)}
    _, alike = ran(model)
    assert not [one for one in alike if one.statistic == "effect_size_of_cuts"]


def test_without_one_of_the_sets_there_is_no_measure(static: Saved) -> None:
    _, measures = ran(static("women 1 0\nwarm 2 1\npeople 1 0\nperson 0 1\n"))
    effect = value_of(measures, "effect_size")
    assert effect.value is None
    assert effect.reason


def test_words_of_several_subwords_are_removed_or_taken_at_the_last(model: AnyModel) -> None:
    words = {"x": {"inline": ["women", "warm", "kind"]}, "y": {"inline": ["men", "poor"]}}
    removed, _ = ran(model, targets=words, templates=TEMPLATES)
    assert removed.filter(~pl.col("scorable"))["group"].unique().to_list() == ["kind"]
    assert "'kind' is no token of the model: 4 subwords" in removed["reason"].to_list()
    kept, measures = ran(model, targets=words, templates=TEMPLATES, params={"subwords": "last"})
    assert kept["scorable"].all()
    assert {one.variant for one in measures} == {"last subword", "last subword, one-sided", "last subword, uncut"} | {
        "last subword, uncut, one-sided"
    }


def test_the_control_keeps_to_another_models_vocabulary(static: Saved, tiny_folders: tuple[Path, Path]) -> None:
    words = {"x": {"inline": ["women", "warm", "kind"]}, "y": {"inline": ["men", "poor"]}}
    text = "women 1 0\nwarm 2 1\nkind 1 1\nmen 0 1\npoor 1 3\npeople 1 0\nbe 1 0\nperson 0 1\nall 0 1\n"
    reference = f"path:{tiny_folders[0]}"
    records, _ = ran(static(text), targets=words, params={"vocabulary": reference})
    assert records.filter(~pl.col("scorable"))["reason"].unique().to_list() == [f"'kind' is no token of {reference}"]


def test_each_template_has_its_own_effect_size(model: AnyModel) -> None:
    _, measures = ran(model, templates=TEMPLATES)
    templates = [one.template for one in measures if one.statistic == "effect_size" and not one.variant]
    assert templates == ["", *TEMPLATES["inline"]]


def test_templates_that_differ_in_a_quantifier_only_are_one_unit(model: AnyModel) -> None:
    texts = ["{Target} are {attribute}.", "All {target} are {attribute}.", "most {attribute} should be {target}"]
    _, measures = ran(model, templates={"inline": texts})
    for one in (measure for measure in measures if measure.statistic in ("word_association", "cosine")):
        assert (one.n, one.n_units) == (3, 2)


def test_what_fits_no_model_is_reported(model: AnyModel, static: Saved) -> None:
    with pytest.raises(SpecError, match="give 'templates'"):
        ran(model)
    with pytest.raises(SpecError, match="take 'templates' out"):
        ran(static("women 1 0\n"), templates=TEMPLATES)
    with pytest.raises(SpecError, match="is in both sets"):
        ran(model, targets={"x": {"inline": ["men"]}, "y": {"inline": ["men"]}}, templates=TEMPLATES)
    with pytest.raises(SpecError, match=r"targets: give \{x: LIST, y: LIST\}"):
        ran(model, targets={"x": {"inline": ["men"]}}, templates=TEMPLATES)
    with pytest.raises(InputError, match="attribute"):
        ran(model, templates={"inline": ["{target} are."]})


def test_the_reference_bert_takes_the_stimuli(tiny_bert: Model) -> None:
    records, _ = ran(tiny_bert, templates=TEMPLATES)
    assert records.height == 32
