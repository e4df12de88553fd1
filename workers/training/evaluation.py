"""The loss and the accuracy of a masked language model on held-out text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import nn

from workers.training.batches import Special, masked_batch
from workers.training.corpus import Tokens
from workers.training.masked_training import logits_at_masked

RATE, ROWS, SEED = 0.15, 32, 0


@dataclass(frozen=True)
class Evaluation:
    loss: float
    """The mean negative log-likelihood of a masked token, natural logarithm."""
    top_1: float
    """The share of masked tokens that are the model's first guess."""
    tokens: int
    passages: int

    def __str__(self) -> str:
        return f"loss {self.loss:.3f}, top-1 {self.top_1:.1%} of {self.tokens:,} tokens in {self.passages:,} passages"


@torch.inference_mode()
def evaluate(model: Any, passages: Sequence[Tokens], special: Special) -> Evaluation:
    """Evaluate the model on passages with the same 15% of the tokens masked on every call, all replaced by [MASK].

    The loss is computed in float32.
    """
    random = np.random.default_rng(SEED)
    loss, right, tokens = 0.0, 0, 0
    for start in range(0, len(passages), ROWS):
        batch = masked_batch(passages[start : start + ROWS], special, RATE, random).to(model.device)
        logits = logits_at_masked(model, batch).float()
        loss += float(nn.functional.cross_entropy(logits, batch.answers, reduction="sum"))
        right += int((logits.argmax(1) == batch.answers).sum())
        tokens += len(batch.answers)
    return Evaluation(loss / tokens, right / tokens, tokens, len(passages))


@torch.inference_mode()
def completions(model: Any, tokenizer: Any, texts: Sequence[str], first: int = 5) -> Iterator[list[tuple[str, float]]]:
    """Yield for each text with one [MASK] the likeliest tokens and their probabilities."""
    for text in texts:
        encoded = tokenizer(text, return_tensors="pt").to(model.device)
        at = encoded["input_ids"][0] == tokenizer.mask_token_id
        likeliest = model(**encoded).logits[0, at][0].softmax(0).topk(first)
        words = tokenizer.convert_ids_to_tokens(likeliest.indices.tolist())
        yield list(zip(words, likeliest.values.tolist(), strict=True))
