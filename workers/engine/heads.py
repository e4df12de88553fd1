"""Vocabulary heads of masked language models, split into transform, decoder matrix and bias.

A split head computes vocabulary logits only at the positions that are read, and gives methods the transformed hidden
state and the decoder matrix.
"""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Any

import torch
from torch import Tensor
from torch.nn.functional import gelu

from workers.engine.linear import linear

Step = Callable[[Tensor], Tensor]


@dataclass(frozen=True)
class Head:
    """A head that maps hidden states [n, H] to logits [n, V]."""

    steps: tuple[Step, ...]
    weight: Tensor  # [V, E]
    bias: Tensor | None  # [V]

    def transform(self, hidden: Tensor) -> Tensor:
        """Return the states that the decoder multiplies: [n, H] -> [n, E]."""
        for step in self.steps:
            hidden = step(hidden)
        return hidden

    def decoded(self, transformed: Tensor) -> Tensor:
        """Return the logits of transformed states: [n, E] -> float32 [n, V]."""
        return linear(transformed, self.weight, self.bias).float()

    def logits(self, hidden: Tensor) -> Tensor:
        """Return the logits of hidden states: [n, H] -> float32 [n, V]."""
        return self.decoded(self.transform(hidden))


@dataclass(frozen=True)
class Family:
    """Where a family keeps its head: paths of modules, or functions, in the order of the forward pass."""

    steps: tuple[str | Step, ...]
    weight: str
    bias: str


def _bert(prefix: str) -> Family:
    return Family((f"{prefix}.transform",), f"{prefix}.decoder.weight", f"{prefix}.decoder.bias")


_ROBERTA = Family(("lm_head.dense", gelu, "lm_head.layer_norm"), "lm_head.decoder.weight", "lm_head.decoder.bias")
_DEBERTA = Family(
    ("lm_predictions.lm_head.dense", "lm_predictions.lm_head.transform_act_fn", "lm_predictions.lm_head.LayerNorm"),
    "deberta.embeddings.word_embeddings.weight",
    "lm_predictions.lm_head.bias",
)

FAMILIES: dict[str, tuple[Family, ...]] = {
    "bert": (_bert("cls.predictions"),),
    "roberta": (_ROBERTA,),
    "xlm-roberta": (_ROBERTA,),
    "camembert": (_ROBERTA,),
    "distilbert": (
        Family(("vocab_transform", "activation", "vocab_layer_norm"), "vocab_projector.weight", "vocab_projector.bias"),
    ),
    "albert": (
        Family(
            ("predictions.dense", "predictions.activation", "predictions.LayerNorm"),
            "predictions.decoder.weight",
            "predictions.decoder.bias",
        ),
    ),
    "electra": (Family(("generator_predictions",), "generator_lm_head.weight", "generator_lm_head.bias"),),
    # Two layouts of the head each. A checkpoint has one of them (config.legacy).
    "deberta": (_bert("cls.predictions"), _DEBERTA),
    "deberta-v2": (_bert("cls.predictions"), _DEBERTA),
    "xlnet": (Family((), "lm_loss.weight", "lm_loss.bias"),),
    "modernbert": (Family(("head",), "decoder.weight", "decoder.bias"),),
}


def head_of(model: Any) -> Head | None:
    """Return the model's split head, or None if the family is unknown and the whole model has to run."""
    for family in FAMILIES.get(model.config.model_type, ()):
        try:
            return _taken_apart(model, family)
        except AttributeError:
            continue
    return None


def _taken_apart(model: torch.nn.Module, family: Family) -> Head:
    steps = tuple(attrgetter(step)(model) if isinstance(step, str) else step for step in family.steps)
    return Head(steps, attrgetter(family.weight)(model), attrgetter(family.bias)(model))
