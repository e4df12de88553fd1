"""SeT: scores against the definition, priors, and what cannot be scored."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import polars as pl
import pytest
import torch

from plumbline.spec.errors import SpecError
from tests.workers.engine.conftest import CAUSAL, save_model
from tests.workers.engine.squishing import squished
from workers.engine.causal import CausalModel
from workers.engine.loading import load, locate
from workers.probes.association.distances import ON_TOP, TOO_FAR, Distances
from workers.probes.cell_scores.asks import Ask
from workers.probes.protocol import Model

Score = Callable[..., pl.DataFrame]
WORDS = {"inline": ["poor", "dominant", "science-oriented"]}
PEOPLE = {"singular": "person", "plural": "people"}
TEMPLATES = {"inline": ["All {group.plural} are {attribute}.", "The {attribute} people are {group.plural}."]}
GROUPS = {"inline": [{"label": "women", "plural": "women"}, {"label": "Asian men", "plural": "Asian men"}]}


@pytest.fixture(scope="module")
def tiny_llama(tmp_path_factory: pytest.TempPathFactory) -> CausalModel:
    model = load(locate(f"path:{save_model(tmp_path_factory.mktemp('llama'), *CAUSAL['llama'])}"), device="cpu")
    assert isinstance(model, CausalModel)
    return model


def set_of(score: Score, model: Model, **changes: Any) -> pl.DataFrame:
    keys = {"groups": GROUPS, "prior": PEOPLE, "attributes": WORDS, "templates": TEMPLATES}
    return score(model, probe="set", **keys | changes)


@torch.inference_mode()
def distance(model: Any, before: str, word: str, after: str) -> float:
    """The largest D over the word's subwords, each in a pass of its own with the earlier ones filled in."""
    encoded = model.tokenizer(before + word + after, return_offsets_mapping=True)
    start, end = len(before), len(before) + len(word)
    slot = [i for i, (a, b) in enumerate(encoded["offset_mapping"]) if a < b and a < end and b > start]
    ids, found = list(encoded["input_ids"]), []
    for position in slot:
        ids[position] = model.tokenizer.mask_token_id
    for position in slot:
        states = model.model.base_model(input_ids=torch.tensor([ids]))[0][:, position]
        hidden = model.head.transform(states).double()
        logits = hidden @ model.head.weight.double().T + model.head.bias.double()
        target = encoded["input_ids"][position]
        found.append(squished(logits[0].numpy(), target, 1.0) / float(hidden.square().sum()))
        ids[position] = target
    return max(found)


@pytest.mark.parametrize("model_name", ["tiny_bert", "tiny_roberta"])
def test_scores_are_those_of_the_definition(request: pytest.FixtureRequest, score: Score, model_name: str) -> None:
    model: Model = request.getfixturevalue(model_name)
    records = set_of(score, model)
    assert len(records) == 2 * 2 * 3
    for row in records.iter_rows(named=True):
        before, after = row["template"].split("{attribute}")
        for group, column in ((row["group"], "distance_target"), ("people", "distance_prior")):
            filled = [part.replace("{group.plural}", group) for part in (before, after)]
            expected = distance(model, filled[0], row["attribute"], filled[1])
            assert row[column] == pytest.approx(expected, rel=1e-4)
        assert row["score"] == pytest.approx(-math.log(row["distance_target"] / row["distance_prior"]))


def test_one_mask_is_the_prior_of_a_group_of_any_length(tiny_bert: Model, score: Score) -> None:
    records = set_of(score, tiny_bert, prior={"mask": "one"}).filter(template=TEMPLATES["inline"][0])
    expected = distance(tiny_bert, "All [MASK] are ", "poor", ".")
    found = records.filter(attribute="poor")["distance_prior"]
    assert found.to_list() == pytest.approx([expected] * 2, rel=1e-4)


def test_a_larger_margin_needs_a_larger_change(tiny_bert: Model, score: Score) -> None:
    one, two = (set_of(score, tiny_bert, params={"margin": margin})["distance_target"] for margin in (1.0, 2.0))
    assert (two > one).all()


def test_scores_of_a_causal_model_are_those_of_the_later_slot(tiny_llama: CausalModel, score: Score) -> None:
    model = tiny_llama
    (template, words) = "All {group.plural} are {attribute}.", {"inline": ["warm", "poor"]}
    records = set_of(
        score,
        model,
        attributes=words,
        templates={"inline": [template]},
        groups={"inline": [{"label": "women", "plural": "women"}]},
    )
    layer = model.model.get_output_embeddings()
    for row in records.iter_rows(named=True):
        for group, column in (("women", "distance_target"), ("people", "distance_prior")):
            ids = model.tokenizer(f"All {group} are")["input_ids"]
            pieces = model.tokenizer(f"All {group} are {row['attribute']}")["input_ids"][len(ids) :]
            found = []
            for piece in pieces:
                with torch.inference_mode():
                    hidden = model.model.base_model(input_ids=torch.tensor([ids]))[0][0, -1].double()
                    logits = (layer.weight.double() @ hidden)[: model.named].numpy()
                found.append(squished(logits, piece, 1.0) / float(hidden.square().sum()))
                ids = [*ids, piece]
            assert row[column] == pytest.approx(max(found), rel=1e-4)


def test_the_mean_over_groups_is_no_prior_of_distances(tiny_bert: Model, score: Score) -> None:
    with pytest.raises(SpecError, match=r"prior: .*mean of probabilities, which distances lack: give \{mask: one\}"):
        set_of(score, tiny_bert, prior={"mean": True})


@pytest.mark.parametrize("margin", [0.0, -1.0, float("nan"), float("inf")])
def test_a_margin_is_a_number_above_zero(tiny_bert: Model, score: Score, margin: float) -> None:
    with pytest.raises(SpecError, match=r"params\.margin"):
        set_of(score, tiny_bert, params={"margin": margin})


def test_what_causal_models_have_no_definition_for_is_refused(tiny_llama: CausalModel, score: Score) -> None:
    for changes, fault in (
        ({"params": {"variant": "released_code"}}, "for masked models only"),
        ({"prior": {"mask": "one"}}, "needs a masked model"),
        ({}, "'The {attribute} people are {group.plural}.' names the attribute first, .* take it out, or choose"),
        ({"prior": {**PEOPLE, "attribute": "nice"}}, "names the attribute first, so on a causal model its distance"),
    ):
        with pytest.raises(SpecError, match=fault):
            set_of(score, tiny_llama, attributes={"inline": ["warm"]}, **changes)


def numbers(target: float, prior: float, *, released: bool) -> Any:
    asks = [Ask((name,), 1) for name in ("target", "prior")]  # type: ignore[arg-type]
    answers: Any = {"target": target, "prior": prior}
    return Distances(1.0, released).numbers(asks[0], asks[1:], answers)


@pytest.mark.parametrize(
    ("target", "prior", "released", "score", "reason"),
    [
        (4.0, 1.0, False, -math.log(4), ""),
        (0.0, 1.0, False, None, ON_TOP),
        (1.0, 0.0, False, None, f"prior: {ON_TOP}"),
        (0.5, 0.75, True, math.log(2), ""),
        (0.0, 0.5, True, math.log(2), ""),
        (1.0, 0.5, True, None, TOO_FAR),
        (0.5, 1.5, True, None, f"prior: {TOO_FAR}"),
    ],
)
def test_a_score_that_is_not_defined_has_its_reason_and_keeps_its_distances(
    target: float, prior: float, released: bool, score: float | None, reason: str
) -> None:
    found = numbers(target, prior, released=released)
    assert (found.target, found.prior, found.reason) == (target, prior, reason)
    assert found.score == (score if score is None else pytest.approx(score))


def test_a_shard_gives_what_its_cells_give_alone(tiny_bert: Model, score: Score) -> None:
    together = set_of(score, tiny_bert).sort("template", "group", "attribute")
    alone = pl.concat(
        [
            set_of(
                score, tiny_bert, groups={"inline": [group]}, attributes={"inline": [word]}, templates={"inline": [one]}
            )
            for one in TEMPLATES["inline"]
            for group in GROUPS["inline"]
            for word in WORDS["inline"]
        ]
    ).sort("template", "group", "attribute")
    for column in ("distance_target", "distance_prior", "score"):
        np.testing.assert_allclose(together[column], alone[column], rtol=1e-5, atol=1e-6)
