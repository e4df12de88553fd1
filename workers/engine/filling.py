"""The likeliest tokens of a masked model in a mask's place."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from torch import Tensor

from workers.engine.masked import MaskedModel, Progress

IntArray = npt.NDArray[np.int64]
FloatArray = npt.NDArray[np.float64]
Masked = tuple[int, ...]
"""The tokens of an input, with the mask's among them."""


def top_tokens(
    model: MaskedModel,
    masked: Sequence[Masked],
    positions: Sequence[int],
    top: int,
    progress: Progress | None = None,
) -> tuple[IntArray, FloatArray]:
    """Return the `top` likeliest tokens at one position of each input, int64 [n, top], and their log probabilities.

    The likeliest token comes first; of equally likely tokens, the one with the smaller id. The log probabilities,
    float64 [n, top], are natural and over the whole vocabulary; its rows without a token are never returned. The
    results do not depend on the batches. `progress` is called with the number of inputs answered since its last call.
    Raises ValueError for more tokens than the vocabulary has, ModelError when a single input does not fit into memory.
    """
    if not 0 < top <= model.named:
        raise ValueError(f"top {top} of a vocabulary of {model.named} tokens")
    tokens = np.zeros((len(masked), top), dtype=np.int64)
    log_p = np.full((len(masked), top), np.nan)

    def read(asked: list[list[int]], logits: Tensor) -> tuple[list[int], IntArray, FloatArray]:
        found = _likeliest(logits[:, : model.named], top)
        likely = logits.gather(1, found).double() - logits.logsumexp(1, keepdim=True).double()
        rows = [row for row, numbers in enumerate(asked) for _ in numbers]
        at = [number for numbers in asked for number in numbers]
        return at, found.cpu().numpy()[rows], likely.cpu().numpy()[rows]

    def keep(found: tuple[list[int], IntArray, FloatArray]) -> None:
        tokens[found[0]], log_p[found[0]] = found[1:]

    model.read_logits(list(zip(masked, positions, strict=True)), read, keep, progress)
    return tokens, log_p


def _likeliest(logits: Tensor, top: int) -> Tensor:
    """Return the likeliest tokens, int64 [n, top]; `topk` does not define the choice and order of equal logits."""
    found = logits.topk(top, dim=1)
    tokens = found.indices.sort(dim=1).values
    order = logits.gather(1, tokens).sort(dim=1, descending=True, stable=True).indices
    tokens = tokens.gather(1, order)
    tied = (logits >= found.values[:, -1:]).sum(1) > top
    if tied.any():
        tokens[tied] = logits[tied].sort(dim=1, descending=True, stable=True).indices[:, :top]
    return tokens
