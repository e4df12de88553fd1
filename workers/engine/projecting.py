"""Apply projections: the module that outputs a layer's states then maps them.

To find the module, the model runs once on a few tokens. The module is the first one that outputs the layer's states and
runs only once. In BERT's layout that is the layer's last norm, which also runs in the packed body. In causal models it
is the final norm before the head. So the head's own transform, a pooler and the vocabulary's matrix come after the
projection and do not change.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch import Tensor

from plumbline.spec.errors import ModelError
from workers.engine.linear import linear
from workers.engine.projection import Projection

TOKENS = 5


def project(model: Any, projection: Projection, reference: str) -> None:
    """Make the model's layer output projected states. Raises ModelError for a wrong size or a missing layer."""
    module, size = _source_of_states(model, projection.layer, reference)
    if size != projection.size:
        raise ModelError(
            f"{reference}: the projection is for states of {projection.size} numbers, but the model's have {size}:"
            " make a variant of this model"
        )
    matrix = torch.from_numpy(projection.matrix).to(model.device)
    offset = torch.from_numpy(projection.offset).to(model.device)

    def mapped(states: Tensor) -> Tensor:
        return linear(states.float(), matrix, offset).to(states.dtype)

    # It must be the first hook, because transformers also records the states of layers by hooks.
    module.register_forward_hook(lambda _, __, given: _with_states(given, mapped(_states(given))), prepend=True)


def layers(model: Any) -> int:
    """Return how many layers follow the embeddings."""
    with _probed(model) as (outputs, _):
        return len(outputs) - 1


def _source_of_states(model: Any, layer: int | None, reference: str) -> tuple[Any, int]:
    """Return the module that outputs the layer's states, and the size of a state."""
    with _probed(model) as (hidden, ran):
        if layer is not None and not 0 <= layer < len(hidden):
            raise ModelError(f"{reference} has the layers 0 to {len(hidden) - 1}, not {layer}: choose one of these")
        wanted = hidden[-1 if layer is None else layer]
        times = Counter(id(module) for module, _ in ran)
        for module, states in ran:
            if times[id(module)] == 1 and states.shape == wanted.shape and torch.equal(states, wanted):
                return module, wanted.shape[-1]
    raise ModelError(
        f"{reference} is of the family {model.config.model_type!r}, in which no module outputs the states of"
        f" {'the last layer' if layer is None else f'layer {layer}'}: choose another layer or model"
    )


@contextmanager
def _probed(model: Any) -> Iterator[tuple[tuple[Tensor, ...], list[tuple[Any, Tensor]]]]:
    """Yield the states of all layers for a few tokens, and each module's output, the innermost first."""
    ran: list[tuple[Any, Tensor]] = []

    def keep(module: Any, _: Any, given: Any) -> None:
        states = _states(given)
        if isinstance(states, Tensor):
            ran.append((module, states.clone()))

    hooks = [module.register_forward_hook(keep) for module in model.base_model.modules()]
    ids = (torch.arange(1, TOKENS + 1, device=model.device) % model.config.get_text_config().vocab_size)[None]
    try:
        # No inference mode: tensors that a model keeps from this pass could not be used in training.
        with torch.no_grad():
            hidden = model.base_model(input_ids=ids, output_hidden_states=True).hidden_states
        yield tuple(hidden), ran
    finally:
        for hook in hooks:
            hook.remove()


def _states(given: Any) -> Any:
    """Return the states in a module's output."""
    if isinstance(given, tuple) and given:
        return given[0]
    return getattr(given, "last_hidden_state", given)


def _with_states(given: Any, states: Tensor) -> Any:
    if isinstance(given, Tensor):
        return states
    if isinstance(given, tuple):
        return (states, *given[1:])
    given["last_hidden_state"] = states
    return given
