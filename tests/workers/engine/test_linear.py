from collections.abc import Callable

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from workers.engine import linear as rooms
from workers.engine.attention import FEWEST_ROWS
from workers.engine.linear import linear, use_linear
from workers.engine.masked import MaskedModel


@pytest.fixture
def layer() -> tuple[Tensor, Tensor]:
    """Weights [37, 50] and bias [37]."""
    numbers = torch.Generator().manual_seed(0)
    return torch.randn(37, 50, generator=numbers), torch.randn(37, generator=numbers)


def rows(*shape: int) -> Tensor:
    return torch.randn(*shape, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("shape", [(7, 50), (3, 4, 50), (1, 50), (0, 50)])
@torch.inference_mode()
def test_it_is_pytorchs_own_layer_but_for_rounding(layer: tuple[Tensor, Tensor], shape: tuple[int, ...]) -> None:
    weight, bias = layer
    given = rows(*shape)
    torch.testing.assert_close(linear(given, weight, bias), functional.linear(given, weight, bias))
    torch.testing.assert_close(linear(given, weight), functional.linear(given, weight))


@torch.inference_mode()
def test_rows_that_are_not_contiguous_in_memory_give_the_same_result(layer: tuple[Tensor, Tensor]) -> None:
    weight, bias = layer
    given, turned = rows(7, 100)[:, ::2], weight.t().contiguous().t()
    torch.testing.assert_close(linear(given, turned, bias), functional.linear(given.contiguous(), weight, bias))


@torch.inference_mode()
def test_a_row_comes_out_the_same_whatever_is_next_to_it(layer: tuple[Tensor, Tensor]) -> None:
    weight, bias = layer
    given = rows(600, 50)
    together = linear(given, weight, bias)
    for count in (FEWEST_ROWS, 17, 100, 137, 512):
        assert torch.equal(linear(given[:count].clone(), weight, bias), together[:count])


@pytest.mark.skipif(rooms.ONE_DNN is None, reason="this build of PyTorch has no oneDNN")
@pytest.mark.parametrize(("dtype", "gradients", "asked"), [
    (torch.float32, False, True), (torch.float64, False, False), (torch.bfloat16, False, False),
    (torch.float32, True, False),
])  # fmt: skip
def test_onednn_is_asked_for_float32_without_gradients_alone(
    layer: tuple[Tensor, Tensor], monkeypatch: pytest.MonkeyPatch, dtype: torch.dtype, gradients: bool, asked: bool
) -> None:
    calls: list[Tensor] = []
    own = rooms.ONE_DNN

    def counted(given: Tensor, *rest: object) -> Tensor:
        calls.append(given)
        found: Tensor = own(given, *rest)  # type: ignore[misc]  # the skip above: there is one
        return found

    monkeypatch.setattr(rooms, "ONE_DNN", counted)
    weight, bias = (one.to(dtype).requires_grad_(gradients) for one in layer)
    with torch.set_grad_enabled(gradients):
        found = linear(rows(3, 50).to(dtype), weight, bias)
    assert len(calls) == asked
    assert found.requires_grad == gradients


def test_every_linear_layer_of_a_loaded_model_is_such_a_one(masked: Callable[[str], MaskedModel]) -> None:
    layers = [one for one in masked("bert").model.modules() if isinstance(one, torch.nn.Linear)]
    assert len(layers) > 6
    assert all(type(one) is not torch.nn.Linear for one in layers)


def test_a_model_whose_layers_were_changed_learns_as_before() -> None:
    layers = torch.nn.Linear(4, 3), torch.nn.Linear(3, 1)
    model = torch.nn.Sequential(*layers)
    use_linear(model)
    model(rows(5, 4)).sum().backward()
    first = layers[0].weight.grad
    assert first is not None
    assert first.abs().sum() > 0
