"""How much attention each token of a sentence gets in a masked language model."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import torch

from plumbline.spec.errors import ModelError
from workers.engine.batching import in_batches
from workers.engine.masked import FloatArray, MaskedModel

_WEIGHING = "eager"
"""The implementation of attention that gives its weights."""


@torch.inference_mode()
def received_attention(model: MaskedModel, inputs: Sequence[tuple[int, ...]]) -> list[FloatArray]:
    """Return for each input what its tokens receive, float64 [tokens]: the mean over layers, heads and queries.

    Inputs of one length run together, so that there is no padding. Raises ModelError for a family that does not give
    its attention, and when one input alone does not fit into memory.
    """
    found: dict[int, FloatArray] = {}
    by_length: dict[int, list[int]] = defaultdict(list)
    for number, ids in enumerate(inputs):
        by_length[len(ids)].append(number)

    def run(batch: list[int]) -> FloatArray:
        ids = torch.tensor([inputs[number] for number in batch], device=model.device)
        return _received(model, ids)

    def keep(batch: list[int], received: FloatArray) -> None:
        found.update(zip(batch, received, strict=True))

    with _weighing(model.model):
        for numbers in by_length.values():
            in_batches(numbers, lambda first, _: len(inputs[first]), model.token_budget, run, keep)
    return [found[number] for number in range(len(inputs))]


def _received(model: MaskedModel, ids: torch.Tensor) -> FloatArray:
    """[inputs, tokens] -> [inputs, tokens]."""
    attentions = model.model.base_model(input_ids=ids, output_attentions=True).attentions
    if not attentions or attentions[0] is None:
        raise ModelError(
            f"{model.checkpoint.reference} is of the family {model.model.config.model_type!r}, which does not give its"
            " attention: leave the score aula out"
        )
    layers = [layer.double().mean(dim=(1, 2)) for layer in attentions]
    received: FloatArray = torch.stack(layers).mean(dim=0).cpu().numpy()
    return received


@contextmanager
def _weighing(model: Any) -> Iterator[None]:
    """Use the implementation that gives its weights; whatever happens, the model's own is back afterwards."""
    own = model.config._attn_implementation
    model.set_attn_implementation(_WEIGHING)
    try:
        yield
    finally:
        model.set_attn_implementation(own)
