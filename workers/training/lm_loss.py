"""The loss of a language model on batches, and on passages held out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from workers.engine.heads import Head
from workers.training.corpus import Tokens
from workers.training.lm_batches import Batch, Batches

SEED = 0
"""Of the places that are masked for an evaluation: the same each time."""


@dataclass(frozen=True)
class Loss:
    """The mean negative log-likelihood of a token, natural logarithm."""

    value: float
    tokens: int
    passages: int


def loss_of(model: Any, head: Head | None, batch: Batch) -> Tensor:
    """Return the mean loss of the asked places, a scalar.

    The vocabulary is by far the widest layer. With a head that can be taken apart, no other place is computed.
    """
    given = {"input_ids": batch.ids, "attention_mask": batch.attention}
    if head:
        logits = head.logits(model.base_model(**given)[0][batch.asked])
    else:
        logits = model(**given).logits[batch.asked].float()
    return nn.functional.cross_entropy(logits, batch.answers)


@torch.inference_mode()
def evaluate(model: Any, head: Head | None, batches: Batches, passages: Sequence[Tokens], rows: int) -> Loss:
    """Return the loss on passages, `rows` at a time, in evaluation mode."""
    random = np.random.default_rng(SEED)
    model.eval()
    total, tokens = 0.0, 0
    for start in range(0, len(passages), rows):
        batch = batches.of_rows(passages[start : start + rows], random).to(model.device)
        total += float(loss_of(model, head, batch)) * len(batch.answers)
        tokens += len(batch.answers)
    return Loss(total / tokens, tokens, len(passages))
