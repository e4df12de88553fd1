"""Projections at work: the module that puts a layer's states out maps them from now on.

Which module that is, the model itself is asked: it runs once on a few tokens, and the first module that gives the
layer's states, and runs but once, is the one. For BERT's layout that is the layer's last norm, which runs in the packed
body, too; for causal models the final norm before the head. So the head's own transform, a pooler and the vocabulary's
matrix come after the projection and stay as they are.
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
    """Let the model's layer give projected states. Raises ModelError for a wrong size or a layer that is not there."""
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

    # First of all hooks: transformers records the states of layers by hooks, too.
    module.register_forward_hook(lambda _, __, given: _with_states(given, mapped(_states(given))), prepend=True)


def layers(model: Any) -> int:
    """Return how many layers follow the embeddings."""
    with _probed(model) as (outputs, _):
        return len(outputs) - 1


def _source_of_states(model: Any, layer: int | None, reference: str) -> tuple[Any, int]:
    """Return the module that gives the layer's states, and how many numbers each has."""
    with _probed(model) as (hidden, ran):
        if layer is not None and not 0 <= layer < len(hidden):
            raise ModelError(f"{reference} has the layers 0 to {len(hidden) - 1}, and no layer {layer}: choose one")
        wanted = hidden[-1 if layer is None else layer]
        times = Counter(id(module) for module, _ in ran)
        for module, states in ran:
            if times[id(module)] == 1 and states.shape == wanted.shape and torch.equal(states, wanted):
                return module, wanted.shape[-1]
    raise ModelError(
        f"{reference} is of the family {model.config.model_type!r}, whose states of layer"
        f" {'the last' if layer is None else layer} no module gives as they are: choose another layer or model"
    )


@contextmanager
def _probed(model: Any) -> Iterator[tuple[tuple[Tensor, ...], list[tuple[Any, Tensor]]]]:
    """Yield the states of all layers for a few tokens, and what each module gave, the innermost first."""
    ran: list[tuple[Any, Tensor]] = []

    def keep(module: Any, _: Any, given: Any) -> None:
        states = _states(given)
        if isinstance(states, Tensor):
            ran.append((module, states.clone()))

    hooks = [module.register_forward_hook(keep) for module in model.base_model.modules()]
    ids = (torch.arange(1, TOKENS + 1, device=model.device) % model.config.get_text_config().vocab_size)[None]
    try:
        # Not in inference mode: what a model keeps of this pass could take no part in a training.
        with torch.no_grad():
            hidden = model.base_model(input_ids=ids, output_hidden_states=True).hidden_states
        yield tuple(hidden), ran
    finally:
        for hook in hooks:
            hook.remove()


def _states(given: Any) -> Any:
    """What a module gave, without what it gave beside its states."""
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
