"""Contextual embeddings: the final-layer state of a word in a sentence, at its last subword."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from plumbline.spec.errors import ModelError
from workers.engine.attention import FEWEST_ROWS, repeated
from workers.engine.batching import in_batches, longest_first, pad_token
from workers.engine.causal import CausalModel
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.masked import MaskedModel
from workers.engine.sentences import Encoded

Vectors = npt.NDArray[np.float32]
Progress = Callable[[int], None]
CPU_TOKENS, GPU_TOKENS = 4096, 65536


class EncoderModel:
    """A model without a vocabulary head in evaluation mode, which gives states and no probabilities."""

    def __init__(self, checkpoint: Checkpoint, model: Any) -> None:
        self.checkpoint = checkpoint
        self.tokenizer = checkpoint.tokenizer
        self.model = model
        self.device: torch.device = model.device


Contextual = MaskedModel | CausalModel | EncoderModel


@dataclass(frozen=True, slots=True)
class Place:
    """A token of an input: the ids of the input and the position of the token."""

    ids: tuple[int, ...]
    position: int


def last_subword(encoded: Encoded, slot: int = 0) -> Place:
    """Return the place of the last subword of a slot. Raises ValueError for a sentence with a fault."""
    if encoded.fault:
        raise ValueError(encoded.fault)
    return Place(encoded.ids, encoded.slots[slot].stop - 1)


@torch.inference_mode()
def embeddings(model: Contextual, places: Sequence[Place], progress: Progress | None = None) -> Vectors:
    """Return the final-layer states at these places, float32 [n, H], in their order and independent of the batches.

    The final layer is what the body gives to the vocabulary head (on most causal models after the final norm). Each
    distinct input is run once. `progress` is called with the number of places read since its last call. Raises
    ModelError for a model without states or with states that are not finite, and when a single input does not fit into
    memory.
    """
    if not places:
        return np.zeros((0, 0), dtype=np.float32)
    asked: dict[tuple[int, ...], list[int]] = {}
    for number, place in enumerate(places):
        asked.setdefault(place.ids, []).append(number)
    inputs = list(asked)
    found: dict[int, Vectors] = {}

    def run(batch: list[int]) -> dict[int, Vectors]:
        states = _states(model, [inputs[index] for index in batch])
        wanted = [(row, number) for row, index in enumerate(batch) for number in asked[inputs[index]]]
        rows, positions = [row for row, _ in wanted], [places[number].position for _, number in wanted]
        read = states[rows, positions].float().cpu().numpy()
        return dict(zip((number for _, number in wanted), read, strict=True))

    def keep(_: list[int], read: dict[int, Vectors]) -> None:
        found.update(read)
        if progress:
            progress(len(read))

    budget = CPU_TOKENS if model.device.type == "cpu" else GPU_TOKENS
    lengths = list(map(len, inputs))
    in_batches(longest_first(lengths), lambda first, _: lengths[first], budget, run, keep)
    vectors = np.stack([found[number] for number in range(len(places))])
    if not np.isfinite(vectors).all():
        raise ModelError(
            f"{model.checkpoint.reference} gives states that are not finite: its weights are broken, or too large for"
            " the dtype; fetch it again, or use dtype float32."
        )
    return vectors


def _states(model: Contextual, inputs: list[tuple[int, ...]]) -> Tensor:
    """Return final states [inputs or more, longest, H]. Padding is on the right, where no earlier token sees it."""
    longest = max(map(len, inputs))
    padding = pad_token(model.model, model.tokenizer)
    ids = torch.tensor([[*tokens, *[padding] * (longest - len(tokens))] for tokens in inputs])
    lengths = torch.tensor([len(tokens) for tokens in inputs])
    attention = (torch.arange(longest) < lengths[:, None]).long()
    fewest = -(-FEWEST_ROWS // longest)
    ids, attention = repeated(ids, fewest), repeated(attention, fewest)
    given = model.model.base_model(input_ids=ids.to(model.device), attention_mask=attention.to(model.device))
    states = getattr(given, "last_hidden_state", None)
    if states is None:
        raise ModelError(
            f"{model.checkpoint.reference} gives no states of its final layer: choose a model of another family."
        )
    return states  # type: ignore[no-any-return]
