"""Linear layers by oneDNN if that is faster: on a CPU, in float32, without gradients.

PyTorch gives float32 products to MKL, although it includes oneDNN. oneDNN takes a tenth less time for a model's layers
and up to half less for its vocabulary (`bench/linear_layers.py`). Its rounding of a row depends on other rows only if
the row is alone; MKL's rounding also changes for two rows.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

ONE_DNN = getattr(torch.ops.mkldnn, "_linear_pointwise", None)
"""The operator that PyTorch's compiler uses for such layers; None in a build without oneDNN."""


def linear(rows: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """Compute a linear layer: [..., in], [out, in], [out] -> [..., out].

    Equals torch.nn.functional.linear up to rounding.
    """
    if ONE_DNN is None or torch.is_grad_enabled() or not _suits(rows, weight):
        return functional.linear(rows, weight, bias)
    found: Tensor = ONE_DNN(rows, weight, bias, "none", [], "")
    return found


def _suits(rows: Tensor, weight: Tensor) -> bool:
    return rows.dtype == weight.dtype == torch.float32 and rows.device.type == "cpu" and rows.numel() > 0


def use_linear(model: Any) -> None:
    """Use `linear` in all linear layers of a model; subclasses that a family defines stay as they are."""
    for module in model.modules():
        if type(module) is nn.Linear:
            module.__class__ = _Linear


class _Linear(nn.Linear):
    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 -- PyTorch's name
        return linear(input, self.weight, self.bias)
