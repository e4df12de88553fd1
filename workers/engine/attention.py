"""Attention whose result does not depend on the other inputs of the batch.

A sum in float32 changes with the order of its terms. The order in attention changes with the length of the batch and
the position of a token: by up to 4e-5 in log-probabilities of a model with 135M parameters. In float64, rounded back,
it changes seldom and by a last bit at most; attention is a small part of the work. Linear layers only need enough rows,
because BLAS libraries take other paths for very few (`FEWEST_ROWS`).
"""

from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import scaled_dot_product_attention
from transformers import AttentionInterface
from transformers.integrations.sdpa_attention import sdpa_attention_forward
from transformers.masking_utils import AttentionMaskInterface, sdpa_mask

FEWEST_ROWS = 16
SHORT = 32
"""Up to this number of tokens, whole products are at least as fast as SDPA, which works block by block."""
_NAME = "float64_sdpa"


def use_float64_attention(model: Any) -> None:
    """Switch a float32 model to float64 attention.

    bfloat16 is chosen for speed and stays as it is, as do families with their own attention.
    """
    if model.dtype == torch.float32 and model.config._attn_implementation == "sdpa":
        model.set_attn_implementation(_NAME)


def has_float64_attention(model: Any) -> bool:
    found: bool = model.config._attn_implementation == _NAME
    return found


def repeated(rows: Tensor, fewest: int = FEWEST_ROWS) -> Tensor:
    """Return at least `fewest` rows by repeating the first ones; results of the repeated rows are ignored."""
    if not 0 < len(rows) < fewest:
        return rows
    return rows[torch.arange(fewest, device=rows.device) % len(rows)]


def attended(query: Tensor, key: Tensor, value: Tensor, scaling: float) -> Tensor:
    """Compute attention of all tokens to all.

    float64 [batch, heads, tokens, size] -> float32 [batch, tokens, heads * size].
    """
    if key.shape[2] > SHORT:
        found = scaled_dot_product_attention(query, key, value, scale=scaling)
    else:
        found = (query * scaling @ key.transpose(2, 3)).softmax(-1) @ value
    return found.transpose(1, 2).to(torch.float32, memory_format=torch.contiguous_format).flatten(2)


def _float64_sdpa(
    module: Any, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None, **settings: Any
) -> tuple[Tensor, None]:
    mask = attention_mask
    if mask is not None and mask.is_floating_point():
        mask = mask.double()
    found, _ = sdpa_attention_forward(module, query.double(), key.double(), value.double(), mask, **settings)
    return found.to(query.dtype), None


AttentionInterface.register(_NAME, _float64_sdpa)
AttentionMaskInterface.register(_NAME, sdpa_mask)
