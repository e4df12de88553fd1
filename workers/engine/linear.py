"""Linear layers by oneDNN where that is quicker: on a CPU, in float32, where nobody asks for gradients.

PyTorch hands float32 products to MKL, though oneDNN comes along with it. For a model's layers oneDNN takes a tenth less
time, for its vocabulary up to half (`bench/linear_layers.py`). What it rounds a row to depends on the other rows only
where a row is alone; MKL's rounding changes for two as well.
"""

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

ONE_DNN = getattr(torch.ops.mkldnn, "_linear_pointwise", None)
"""What PyTorch's compiler takes for such layers; a build without oneDNN does not have it."""


def linear(rows: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """[..., in], [out, in], [out] -> [..., out]; as torch.nn.functional.linear but for rounding."""
    if ONE_DNN is None or torch.is_grad_enabled() or not _suits(rows, weight):
        return functional.linear(rows, weight, bias)
    found: Tensor = ONE_DNN(rows, weight, bias, "none", [], "")
    return found


def _suits(rows: Tensor, weight: Tensor) -> bool:
    return rows.dtype == weight.dtype == torch.float32 and rows.device.type == "cpu" and rows.numel() > 0


def use_linear(model: Any) -> None:
    """All linear layers of a model; kinds of them that a family defines itself stay as they are."""
    for module in model.modules():
        if type(module) is nn.Linear:
            module.__class__ = _Linear


class _Linear(nn.Linear):
    def forward(self, input: Tensor) -> Tensor:  # noqa: A002 -- PyTorch's name
        return linear(input, self.weight, self.bias)
