"""Distances of the last layer: by family against the definition, whatever the batch."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from plumbline.spec.errors import ModelError
from tests.workers.engine.conftest import GPT2, LLAMA, save_model
from tests.workers.engine.squishing import squished
from workers.engine.causal import CausalModel, CausalQuery
from workers.engine.loading import load, locate
from workers.engine.masked import MaskedModel, MaskedQuery

MASKED_FAMILIES = ["bert", "roberta", "distilbert", "albert", "electra", "deberta", "deberta-v2", "modernbert"]
CAUSAL_FAMILIES = ["llama", "gpt2", "mistral-window", "bloom"]
GEMMA = {**LLAMA, "head_dim": 8, "final_logit_softcapping": 3.0, "query_pre_attn_scalar": 8}
SCALED: dict[str, tuple[str, dict[str, Any], float]] = {
    "cohere": ("CohereForCausalLM", {**LLAMA, "logit_scale": 0.25}, 0.25),
    "granite": ("GraniteForCausalLM", {**LLAMA, "logits_scaling": 8.0}, 0.125),
    "gemma2": ("Gemma2ForCausalLM", GEMMA, 1.0),
    "llama": ("LlamaForCausalLM", LLAMA, 1.0),
}
# Rows of the matrix that no token bears: tests/workers/engine/conftest.py makes three.
PADDING = 3


def asked(model: MaskedModel) -> list[MaskedQuery]:
    inputs = [(2, 20, 4, 11, 3), (2, 9, 31, 12, 4, 4, 8, 3), (2, 14, 4, 3)]
    return [MaskedQuery(ids, ids.index(4), target) for ids in inputs for target in (7, 20, 33)]


def followed() -> list[CausalQuery]:
    return [CausalQuery(context, (target,)) for context in ((20, 4), (9, 31, 12, 40)) for target in (7, 20, 33)]


@torch.inference_mode()
def defined(layer: Any, hidden: torch.Tensor, target: int, *, scale: float = 1.0, margin: float = 1.0) -> float:
    """min ||A' - A||^2 so that scale (A' h + b) has the target on top by the margin, among the rows with a token."""
    logits = scale * layer(hidden).double()[:-PADDING]
    return squished(logits.numpy(), target, margin) / (scale**2 * float(hidden.double().square().sum()))


@torch.inference_mode()
def whole(model: Any, query: MaskedQuery) -> tuple[torch.Tensor, torch.Tensor]:
    """What the decoder is given at the position, and the logits there, float64, when the whole model runs by itself."""
    given: list[torch.Tensor] = []
    if model.config.model_type == "deberta":  # transformers calls another layer the output embeddings
        last = model.lm_predictions.lm_head.LayerNorm
        hook = last.register_forward_hook(lambda _, __, output: given.append(output))
    else:
        last = model.get_output_embeddings()
        hook = last.register_forward_hook(lambda _, inputs, __: given.append(inputs[0]))
    logits = model(input_ids=torch.tensor([query.ids])).logits
    hook.remove()
    return given[0][0, query.position].double(), logits[0, query.position].double()


@pytest.mark.parametrize("family", MASKED_FAMILIES)
def test_a_masked_model_gives_the_defined_distance(masked: Callable[[str], MaskedModel], family: str) -> None:
    model = masked(family)
    for query, found in zip(asked(model), model.distances(asked(model)), strict=True):
        hidden, logits = whole(model.model, query)
        change = squished(logits[:-PADDING].numpy(), query.target, 1.0)
        assert found == pytest.approx(change / float(hidden.square().sum()), rel=1e-4)


@pytest.mark.parametrize("family", ["bert", "electra", "modernbert"])
def test_masked_distances_do_not_depend_on_the_batch(masked: Callable[[str], MaskedModel], family: str) -> None:
    model = masked(family)
    together = model.distances(asked(model), with_bias=True)
    alone = np.concatenate([model.distances([query], with_bias=True) for query in asked(model)])
    np.testing.assert_allclose(together, alone, rtol=1e-5)


def test_the_bias_is_a_column_of_the_matrix_where_it_counts(masked: Callable[[str], MaskedModel]) -> None:
    model = masked("bert")
    without, with_bias = (model.distances(asked(model), with_bias=counts) for counts in (False, True))
    # ||d||^2 / ||h||^2 and ||d||^2 / (||h||^2 + 1): the same change of the logits, h being that of the position.
    norms = 1 / (without / with_bias - 1)
    assert (without > with_bias).all()
    np.testing.assert_allclose(norms.reshape(3, 3), np.repeat(norms[::3], 3).reshape(3, 3), rtol=1e-6)


def test_a_family_whose_head_is_unknown_is_refused(masked: Callable[[str], MaskedModel]) -> None:
    with pytest.raises(ModelError, match=r"family 'mpnet', whose last layer is not known here: choose .* bert"):
        masked("mpnet").distances(asked(masked("mpnet")))


@torch.inference_mode()
def before_last(model: CausalModel, ids: tuple[int, ...]) -> torch.Tensor:
    states: torch.Tensor = model.model.base_model(input_ids=torch.tensor([ids]))[0][0, -1]
    return states


@pytest.mark.parametrize("family", CAUSAL_FAMILIES)
def test_a_causal_model_gives_the_defined_distance(causal: Callable[[str], CausalModel], family: str) -> None:
    model = causal(family)
    together = model.distances(followed())
    for query, found in zip(followed(), together, strict=True):
        hidden = before_last(model, query.context)
        assert found == pytest.approx(defined(model.model.get_output_embeddings(), hidden, query.continuation[0]), 1e-4)
    alone = np.concatenate([model.distances([query]) for query in followed()])
    np.testing.assert_allclose(together, alone, rtol=1e-5)


def test_the_hardest_token_of_a_continuation_decides(causal: Callable[[str], CausalModel]) -> None:
    model = causal("llama")
    tokens = [CausalQuery((20, 4), (7,)), CausalQuery((20, 4, 7), (33,)), CausalQuery((20, 4, 7, 33), (12,))]
    assert model.distances([CausalQuery((20, 4), (7, 33, 12))])[0] == pytest.approx(max(model.distances(tokens)), 1e-6)


@pytest.mark.parametrize("name", SCALED)
def test_factors_of_the_logits_count_and_soft_caps_do_not(tmp_path: Path, name: str) -> None:
    architecture, settings, scale = SCALED[name]
    model = load(locate(f"path:{save_model(tmp_path, architecture, 'bytes_plain', settings)}"), device="cpu")
    assert isinstance(model, CausalModel)
    assert model.scale == scale
    layer = model.model.get_output_embeddings()
    for query, found in zip(followed(), model.distances(followed(), margin=2.0), strict=True):
        hidden = before_last(model, query.context)
        expected = defined(layer, hidden, query.continuation[0], scale=scale, margin=2.0)
        assert found == pytest.approx(expected, rel=1e-4)


def test_logits_that_are_no_multiple_of_the_last_layers_output_are_refused(tmp_path: Path) -> None:
    model = load(locate(f"path:{save_model(tmp_path, 'GPT2LMHeadModel', 'bytes_plain', GPT2)}"), device="cpu")
    assert isinstance(model, CausalModel)

    def bend(_: object, __: object, output: Any) -> None:
        output.logits = output.logits.sin()

    model.model.register_forward_hook(bend)
    with pytest.raises(ModelError, match="family 'gpt2', whose logits are not those of one linear layer"):
        model.distances(followed())
