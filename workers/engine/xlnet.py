"""The body of XLNet: masked places are seen by no token and predicted from all others (Yang et al. 2019, 2.3).

    tokens            the nurse is <mask> . <sep> <cls>
    content stream    each token sees all others except the masked place (`perm_mask`)
    query stream      begins with the mask's own vector and a place (`target_mapping`); its final states are read

Masked places are those with the tokenizer's mask token, whatever is queried, so answers do not depend on the batch.
Inputs have one segment, as when transformers gets no segment ids. Positions count by distance, so padding may be on the
right, although XLNet's tokenizer puts it on the left.
"""

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from plumbline.spec.errors import ModelError
from workers.engine.attention import FEWEST_ROWS

FAMILIES = ("xlnet",)


class PermutedBody:
    """The body of an XLNet model. Raises ModelError for one that reads only from left to right."""

    def __init__(self, model: Any, reference: str, mask: int | None) -> None:
        if model.config.attn_type != "bi" or model.config.bi_data:
            raise ModelError(
                f"{reference} is an XLNet that does not see both sides of a place (attn_type, bi_data in its config):"
                " choose one trained with attn_type bi"
            )
        self.model, self.mask = model, mask
        if model.dtype == torch.float32:
            _use_float64_attention(model)

    def states(self, inputs: Sequence[tuple[int, ...]], places: Sequence[tuple[int, int]]) -> Tensor:
        """Return the query stream's states at some places, (input, position): [places, H]."""
        ids, there = self._padded(inputs)
        at, mapping = _targets(places, ids.shape)
        dtype, device = self.model.dtype, self.model.device
        given = {"attention_mask": there, "perm_mask": self._hidden(ids), "target_mapping": mapping}
        floats = {name: one.to(device, dtype) for name, one in given.items()}
        body = self.model.base_model(input_ids=ids.to(device), use_mems=False, **floats)
        found: Tensor = body[0][[row for row, _ in places], at]
        return found

    def _padded(self, inputs: Sequence[tuple[int, ...]]) -> tuple[Tensor, Tensor]:
        """Return tokens and which of them are not padding, [inputs, longest or more]."""
        longest = max(-(-FEWEST_ROWS // len(inputs)), *map(len, inputs))
        ids = torch.tensor([[*tokens, *[0] * (longest - len(tokens))] for tokens in inputs])
        lengths = torch.tensor([len(tokens) for tokens in inputs])
        return ids, torch.arange(longest) < lengths[:, None]

    def _hidden(self, ids: Tensor) -> Tensor:
        """Return [inputs, tokens, tokens]: True if the first may not see the second.

        No place is predicted from itself.
        """
        hidden = (ids == (-1 if self.mask is None else self.mask))[:, None, :].expand(-1, ids.shape[1], -1)
        return hidden | torch.eye(ids.shape[1], dtype=torch.bool)


def permuted(model: Any, reference: str, mask: int | None) -> PermutedBody | None:
    """Return XLNet's body, or None for other families."""
    return PermutedBody(model, reference, mask) if model.config.model_type in FAMILIES else None


def _targets(places: Sequence[tuple[int, int]], shape: torch.Size) -> tuple[list[int], Tensor]:
    """Return which prediction of its input each place is, and the mapping [inputs, predictions, tokens]."""
    at, count = [], [0] * shape[0]
    for row, _ in places:
        at.append(count[row])
        count[row] += 1
    # Rows without a place are unused predictions; with few rows, linear layers round differently.
    mapping = torch.zeros(shape[0], max(*count, -(-FEWEST_ROWS // shape[0])), shape[1])
    for (row, position), number in zip(places, at, strict=True):
        mapping[row, number, position] = 1
    return at, mapping


def _use_float64_attention(model: Any) -> None:
    """Use float64 attention, as `attention` does for other families, so that padding does not change sums."""
    for layer in model.base_model.layer:
        layer.rel_attn.rel_attn_core = _in_float64(layer.rel_attn.rel_attn_core)


def _in_float64(core: Callable[..., Any]) -> Callable[..., Tensor]:
    def run(query: Tensor, key: Tensor, value: Tensor, distance: Tensor, **settings: Any) -> Tensor:
        wide = {name: one.double() if isinstance(one, Tensor) else one for name, one in settings.items()}
        found: Tensor = core(query.double(), key.double(), value.double(), distance.double(), **wide)
        return found.to(query.dtype)

    return run
