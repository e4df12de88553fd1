"""The state of a sentence: the mean of its tokens' states in one layer."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from workers.engine.batching import in_batches, longest_first
from workers.engine.embeddings import CPU_TOKENS, GPU_TOKENS

States = npt.NDArray[np.float32]
MOST_TOKENS = 128
Progress = Callable[[int], None]


@torch.inference_mode()
def sentence_states(
    model: Any, sentences: Sequence[str], layer: int | None = None, progress: Progress = lambda done: None
) -> States:
    """Return the mean-pooled states, float32 [n, H], in the order of the sentences; special tokens count.

    `model`: as the engine loads it. `layer`: counted from 0 after the embeddings; None: what the task head reads. A
    sentence is cut at MOST_TOKENS tokens. `progress` is called with the number of sentences done since its last call.
    """
    limit = min(MOST_TOKENS, model.tokenizer.model_max_length)
    ids = [tuple(row) for row in model.tokenizer(list(sentences), truncation=True, max_length=limit)["input_ids"]]
    found: dict[int, States] = {}

    def run(batch: list[int]) -> States:
        return _pooled(model, [ids[row] for row in batch], layer).float().cpu().numpy()

    def keep(batch: list[int], states: States) -> None:
        found.update(zip(batch, states, strict=True))
        progress(len(batch))

    lengths = [len(row) for row in ids]
    budget = CPU_TOKENS if model.device.type == "cpu" else GPU_TOKENS
    in_batches(longest_first(lengths), lambda first, _: lengths[first], budget, run, keep)
    return np.stack([found[row] for row in range(len(ids))])


def _pooled(model: Any, inputs: Sequence[tuple[int, ...]], layer: int | None) -> Tensor:
    """Return the means, [inputs, H]; padding on the right has no part in them."""
    longest = max(map(len, inputs))
    padded = torch.tensor([[*tokens, *[0] * (longest - len(tokens))] for tokens in inputs], device=model.device)
    there = torch.arange(longest) < torch.tensor([len(tokens) for tokens in inputs])[:, None]
    there = there.to(model.device)
    given = model.model.base_model(
        input_ids=padded, attention_mask=there.long(), output_hidden_states=layer is not None
    )
    states = given.last_hidden_state if layer is None else given.hidden_states[layer]
    weights = there[..., None].to(states.dtype)
    pooled: Tensor = (states * weights).sum(1) / weights.sum(1)
    return pooled
