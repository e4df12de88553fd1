"""Attention whose answer does not depend on what else is in the batch.

A sum in float32 changes with the order of its terms, and attention's order changes with the length of the batch and
the place of a token in it: up to 4e-5 in log-probabilities of a model with 135M parameters. Taken in float64 and
rounded back, it changes by a last bit at most, and seldom; attention is a small part of the work. Linear layers need
only enough rows: BLAS libraries take other paths for very few (`FEWEST_ROWS`).
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
"""Up to so many tokens whole products are as fast as SDPA, which goes through them block by block, or faster."""
_NAME = "float64_sdpa"


def use_float64_attention(model: Any) -> None:
    """For float32 models; bfloat16 is chosen for speed, and families with an attention of their own keep it."""
    if model.dtype == torch.float32 and model.config._attn_implementation == "sdpa":
        model.set_attn_implementation(_NAME)


def has_float64_attention(model: Any) -> bool:
    found: bool = model.config._attn_implementation == _NAME
    return found


def repeated(rows: Tensor, fewest: int = FEWEST_ROWS) -> Tensor:
    """At least `fewest` rows: the first ones again, whose answers nobody reads."""
    if not 0 < len(rows) < fewest:
        return rows
    return rows[torch.arange(fewest, device=rows.device) % len(rows)]


def attended(query: Tensor, key: Tensor, value: Tensor, scaling: float) -> Tensor:
    """What all tokens see of all: float64 [batch, heads, tokens, size] -> float32 [batch, tokens, heads * size]."""
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
