"""Probes that are asked with Self-Debias: what they record, what decides it, and what cannot be asked."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plumbline.spec.audit import AuditSpec, parse
from plumbline.spec.errors import ModelError, SpecError
from plumbline.spec.self_debias import SelfDebiasing
from tests.workers.engine.conftest import save_model
from tests.workers.tiny import save_tiny_bert, save_tiny_multiple_choice
from workers.engine.loading import load_any, locate
from workers.engine.masked import MaskedQuery
from workers.engine.self_debiased import self_debiased
from workers.execution.stages import itemised, stages_of
from workers.probes.protocol import AnyModel, Columns, ShardPlan

DESCRIPTION = "all women are poor, most men are warm"
LONG = " ".join(["all women are poor"] * 31)
GPT2 = {"n_embd": 32, "n_layer": 2, "n_head": 4, "n_positions": 128, "initializer_range": 0.4}
GRID: dict[str, Any] = {
    "probe": "ilps",
    "groups": {"inline": [{"label": "women", "plural": "women"}, {"label": "men", "plural": "men"}]},
    "prior": {"plural": "people"},
    "attributes": {"inline": ["poor", "warm"]},
    "templates": {"inline": ["All {group.plural} are {attribute}."]},
}
PAIRS: dict[str, Any] = {
    "probe": "pairs",
    "bank": {"inline": [{"id": "1", "more": "All women are poor.", "less": "All men are poor."}]},
}


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> dict[str, AnyModel]:
    root: Path = tmp_path_factory.mktemp("asked")
    folders = {
        "masked": save_tiny_bert(root / "masked", 0),
        "causal": save_model(root / "causal", "GPT2LMHeadModel", "bytes_plain", GPT2),
        "choice": save_tiny_multiple_choice(root / "choice", 1),
    }
    return {name: load_any(locate(f"path:{folder}"), device="cpu") for name, folder in folders.items()}


def spec_of(model: AnyModel, data: dict[str, Any], description: str = DESCRIPTION, **changes: Any) -> AuditSpec:
    way = {"self_debias": {"inline": [f"{description} {{text}}"]}} if description else {}
    return parse({"name": "test", "model": model.checkpoint.reference, **data, **way, **changes})


def planned(model: AnyModel, spec: AuditSpec) -> list[ShardPlan]:
    (stage,) = stages_of(spec).values()
    return stage.plan(spec, {}, model.checkpoint, []).shards


def records(model: AnyModel, spec: AuditSpec) -> Columns:
    (stage,) = stages_of(spec).values()
    (shard,) = planned(model, spec)
    (found,) = stage.execute(spec, {}, shard.items, model, {}, lambda _: None, None).values()  # type: ignore[arg-type]
    return found


def test_target_and_prior_of_an_association_are_asked_in_the_same_way(models: dict[str, AnyModel]) -> None:
    model: Any = models["masked"]
    found = records(model, spec_of(model, GRID))
    asked = self_debiased(model, SelfDebiasing((DESCRIPTION,), 50.0))
    tokenizer, word = model.tokenizer, model.tokenizer.convert_tokens_to_ids("poor")
    texts = ["All women are [MASK].", "All people are [MASK]."]
    queries = [MaskedQuery(tuple(ids), ids.index(4), word) for ids in tokenizer(texts)["input_ids"]]
    target, prior = asked.log_probabilities(queries)
    assert (found["log_p_target"][0], found["log_p_prior"][0]) == pytest.approx((target, prior), abs=1e-5)
    assert found["score"][0] == pytest.approx(target - prior, abs=1e-5)
    plain = records(model, spec_of(model, GRID, description=""))
    assert abs(plain["score"][0] - found["score"][0]) > 1e-3


@pytest.mark.parametrize("kind", ["masked", "causal"])
def test_pairs_are_scored_by_the_lowered_probabilities(models: dict[str, AnyModel], kind: str) -> None:
    plain = records(models[kind], spec_of(models[kind], PAIRS, description=""))
    found = records(models[kind], spec_of(models[kind], PAIRS))
    assert found["scoring"] == plain["scoring"]
    assert np.abs(np.subtract(found["first"], plain["first"])).min() > 1e-3


@pytest.mark.parametrize("data", [GRID, PAIRS])
def test_a_text_that_is_too_long_with_its_description_is_not_scorable(
    models: dict[str, AnyModel], data: dict[str, Any]
) -> None:
    found = records(models["masked"], spec_of(models["masked"], data, description=LONG))
    assert not any(found["scorable"])
    assert {reason.removeprefix("prior: ") for reason in found["reason"]} == {
        "longer than the model's 128 tokens with its description"
    }


@pytest.mark.parametrize("data", [GRID, PAIRS])
def test_only_a_run_with_self_debias_has_descriptions_among_its_inputs(
    models: dict[str, AnyModel], data: dict[str, Any]
) -> None:
    plain, asked = (planned(models["masked"], spec_of(models["masked"], data, text))[0] for text in ("", DESCRIPTION))
    assert "self_debias" not in plain.inputs
    assert asked.inputs == {**plain.inputs, "self_debias": {"descriptions": [DESCRIPTION], "decay": 50.0}}


@pytest.mark.parametrize("data", [GRID, PAIRS])
def test_no_record_of_another_way_of_asking_is_taken_for_the_same(
    models: dict[str, AnyModel], data: dict[str, Any]
) -> None:
    model = models["masked"]
    rests = []
    for text in ("", DESCRIPTION, "most men are warm"):
        spec = spec_of(model, data, text)
        (stage,) = stages_of(spec).values()
        found = itemised(stage)
        assert found is not None
        contents = found.contents(spec, {}, model.checkpoint, planned(model, spec)[0].items)
        assert contents is not None
        rests.append(contents.rest)
    assert all(one != other for place, one in enumerate(rests) for other in rests[:place])


@pytest.mark.parametrize("data", [GRID, PAIRS])
def test_a_multiple_choice_head_has_no_distribution_over_the_vocabulary(
    models: dict[str, AnyModel], data: dict[str, Any]
) -> None:
    spec = spec_of(models["choice"], data)
    (stage,) = stages_of(spec).values()
    with pytest.raises(ModelError, match=r"distribution over the vocabulary, and .* has none: it is of the kind multi"):
        stage.check(spec, {}, models["choice"].checkpoint)


def test_a_chat_has_no_place_for_a_description(models: dict[str, AnyModel]) -> None:
    spec = spec_of(models["causal"], GRID, params={"format": "chat"})
    (stage,) = stages_of(spec).values()
    with pytest.raises(SpecError, match="before the conversation; use format raw"):
        stage.check(spec, {}, models["causal"].checkpoint)
