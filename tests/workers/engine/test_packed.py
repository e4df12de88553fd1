from collections.abc import Callable

import pytest
import torch

from workers.engine.masked import MaskedModel
from workers.engine.packed import FAMILIES, PackedBody, packed

Loader = Callable[[str], MaskedModel]
MADE_HERE = ["bert", "roberta", "electra"]
LENGTHS = [7, 3, 40, 7, 5, 40, 3, 7]
"""Not in order, with equals among them, and longer than what is multiplied whole."""


def inputs_of(model: MaskedModel, lengths: list[int]) -> list[tuple[int, ...]]:
    numbers = torch.Generator().manual_seed(0)
    high = model.vocabulary_size
    return [tuple(torch.randint(5, high, (length,), generator=numbers).tolist()) for length in lengths]


@torch.inference_mode()
def plainly(model: MaskedModel, ids: tuple[int, ...]) -> torch.Tensor:
    """The model's own body on one sentence, [tokens, H]."""
    states: torch.Tensor = model.model.base_model(input_ids=torch.tensor([ids]))[0][0]
    return states


def body_of(model: MaskedModel) -> PackedBody:
    assert isinstance(model.body, PackedBody)
    return model.body


@pytest.mark.parametrize("family", MADE_HERE)
def test_states_are_those_of_the_models_own_body(masked: Loader, family: str) -> None:
    model = masked(family)
    inputs = inputs_of(model, LENGTHS)
    places = [(number, position) for number, ids in enumerate(inputs) for position in range(len(ids))]
    # Neither in the order of the inputs nor in that of their lengths.
    places = places[1::2] + places[::2]
    with torch.inference_mode():
        found = body_of(model).states(inputs, places)
    own = [plainly(model, ids) for ids in inputs]
    expected = torch.stack([own[number][position] for number, position in places])
    assert expected.std() > 0.1
    torch.testing.assert_close(found, expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize("family", MADE_HERE)
def test_states_do_not_depend_on_what_else_is_run(masked: Loader, family: str) -> None:
    model = masked(family)
    inputs = inputs_of(model, LENGTHS * 30)
    with torch.inference_mode():
        together = body_of(model).states(inputs, [(number, 2) for number in range(len(inputs))])
        alone = torch.cat([body_of(model).states([ids], [(0, 2)]) for ids in inputs])
    torch.testing.assert_close(together, alone, atol=1e-5, rtol=0)


def test_the_models_own_matrices_are_parts_of_the_packed_ones(masked: Loader) -> None:
    model = masked("bert")
    own = model.model.base_model.encoder.layer[0].attention.self
    whole = body_of(model).layers[0].weight
    assert own.value.weight.untyped_storage().data_ptr() == whole.untyped_storage().data_ptr()
    torch.testing.assert_close(whole[: len(own.query.weight)], own.query.weight)


@pytest.mark.parametrize("family", ["distilbert", "albert", "deberta", "modernbert", "mpnet"])
def test_other_families_run_in_their_own_way(masked: Loader, family: str) -> None:
    assert family not in FAMILIES
    assert masked(family).body is None


def test_without_float64_attention_a_model_runs_in_its_own_way(masked: Loader, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as one in bfloat16."""
    model = masked("bert").model
    monkeypatch.setattr(model.config, "_attn_implementation", "sdpa")
    assert packed(model) is None
