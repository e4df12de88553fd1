"""The indirect probe on a tiny model: what one pass reads, what cannot be scored, what an edit touches."""

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import torch

from plumbline.methods.indirect.spec import IndirectSpec
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError, ModelError
from tests.workers.probes.indirect.answered import asked, probe
from tests.workers.tiny import save_tiny_multiple_choice
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel
from workers.probes.indirect import shards as under_test

# Letters and words of the tiny vocabulary are one token; "bob" is split.
NAMES = [*"abcdefghijkl", "bob"]
SPEC: dict[str, Any] = {
    "name": "test",
    "probe": "indirect",
    "model": "path:./model",
    "targets": {"inline": ["women", "person"]},
    "features": {"inline": ["warm", "poor", "warmest"]},
    "bridge": {"inline": NAMES},
    "templates": {
        "target_bridge": ["{name} is {a target}.", "{name} should be {target}."],
        "bridge_feature": ["[all|most] {name} are {feature}."],
    },
}


@pytest.fixture(scope="module")
def model(tiny_folders: tuple[Path, Path]) -> MaskedModel:
    found = load(locate(f"path:{tiny_folders[0]}"), device="cpu")
    assert isinstance(found, MaskedModel)
    return found


def spec_of(**other: Any) -> IndirectSpec:
    spec = parse({**SPEC, **other})
    assert isinstance(spec, IndirectSpec)
    return spec


def records(model: MaskedModel, **other: Any) -> pl.DataFrame:
    return asked(spec_of(**other), model)["bridge"]


def averaged(frame: pl.DataFrame, column: str) -> float:
    """log of the mean of exp over the templates."""
    return float(np.log(np.exp(frame[column].to_numpy()).mean()))


def p(model: MaskedModel, text: str, word: str) -> float:
    """P of a word at the first mask of a text, by the plain model."""
    ids = torch.tensor([model.tokenizer(text)["input_ids"]])
    place = ids[0].tolist().index(model.mask_token_id)
    with torch.inference_mode():
        probabilities = model.model(ids).logits[0, place].double().softmax(-1)
    return float(probabilities[model.tokenizer.convert_tokens_to_ids(word)])


def test_each_template_has_a_record_of_its_own(model: MaskedModel) -> None:
    frame = records(model)
    rows = frame.filter(side="target_bridge", word="women", name="c")
    own = averaged(rows, "log_p_target") - averaged(rows, "log_p_prior")
    with_word = [p(model, text, "c") for text in ("[MASK] is a women.", "[MASK] should be women.")]
    prior = [p(model, text, "c") for text in ("[MASK] is a [MASK].", "[MASK] should be [MASK].")]
    assert own == pytest.approx(np.log(np.mean(with_word) / np.mean(prior)), abs=1e-4)


def test_the_prior_masks_the_name_too(model: MaskedModel) -> None:
    frame = records(model)
    own = frame.filter(side="bridge_feature", word="poor", name="d")["score"].mean()
    ratios = [p(model, f"{all_} d are [MASK].", "poor") for all_ in ("all", "most")]
    # In the prior the name is masked too, and the feature is read at the second mask.
    priors = [p_at_second(model, f"{all_} [MASK] are [MASK].", "poor") for all_ in ("all", "most")]
    assert own == pytest.approx(np.mean(np.log(ratios) - np.log(priors)), abs=1e-4)


def p_at_second(model: MaskedModel, text: str, word: str) -> float:
    ids = torch.tensor([model.tokenizer(text)["input_ids"]])
    place = [at for at, token in enumerate(ids[0].tolist()) if token == model.mask_token_id][1]
    with torch.inference_mode():
        probabilities = model.model(ids).logits[0, place].double().softmax(-1)
    return float(probabilities[model.tokenizer.convert_tokens_to_ids(word)])


def test_a_word_that_splits_is_not_predicted_but_may_be_given(model: MaskedModel) -> None:
    frame = records(model)
    predicted = frame.filter(side="target_bridge", name="bob")
    assert predicted["score"].fill_nan(None).null_count() == len(predicted) == 4
    assert predicted["reason"].unique().to_list() == ["split into 3 subwords, of which a mask can be only one"]
    assert frame.filter(side="bridge_feature", name="bob", word="warm")["scorable"].all()
    assert not frame.filter(side="bridge_feature", word="warmest")["scorable"].any()


def test_a_record_says_how_many_tokens_its_name_has(model: MaskedModel) -> None:
    found = records(model).select("name", "name_tokens").unique().rows()
    assert sorted(found) == [(name, 3 if name == "bob" else 1) for name in sorted(NAMES)]


def test_an_edited_target_touches_only_shards_of_its_side(model: MaskedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(under_test, "WORDS_PER_SHARD", 1)
    before, after = (
        {str(shard.inputs) for shard in probe().plan(spec_of(targets=targets), {}, model.checkpoint).shards}
        for targets in ({"inline": ["women", "person"]}, {"inline": ["women", "people"]})
    )
    assert len(before - after) <= 2
    assert not any("bridge_feature" in one for one in before - after)


def test_a_word_that_nobody_can_spell_is_named(model: MaskedModel) -> None:
    with pytest.raises(InputError, match="'Ω' is spelled with the unknown token"):
        probe().check(spec_of(features={"inline": ["Ω"]}), {}, model.checkpoint)


def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    other = locate(f"path:{save_tiny_multiple_choice(tmp_path, seed=0)}")
    with pytest.raises(ModelError, match="takes these kinds: masked, causal"):
        probe().check(spec_of(), {}, other)
