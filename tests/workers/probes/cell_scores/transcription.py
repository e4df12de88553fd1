"""Plain transcriptions of the published scores, one sentence and one forward pass at a time: slow, easy to check."""

from typing import Any

import torch


def masked_word(model: Any, tokenizer: Any, before: str, word: str, after: str, *, chain: bool) -> float:
    """log P(word) in `before word after`: k masks for its k subwords; the first alone, or filled in left to right."""
    full = tokenizer(before + word + after, return_offsets_mapping=True)
    inside = [
        index
        for index, (start, end) in enumerate(full["offset_mapping"])
        if start < end and start < len(before) + len(word) and end > len(before)
    ]
    ids = list(full["input_ids"])
    pieces = [ids[index] for index in inside]
    for index in inside:
        ids[index] = tokenizer.mask_token_id
    total = 0.0
    for index, piece in zip(inside, pieces, strict=True):
        total += log_softmax_at(model, ids, index)[piece]
        ids[index] = piece
        if not chain:
            break
    return total


def continuation(model: Any, tokenizer: Any, text: str, word: str) -> float:
    """log P(word | text) of a causal model, by the chain rule, each step a pass of its own."""
    ids = tokenizer(text)["input_ids"]
    pieces = tokenizer(text + word)["input_ids"][len(ids) :]
    total = 0.0
    for piece in pieces:
        total += log_softmax_at(model, ids, len(ids) - 1)[piece]
        ids = [*ids, piece]
    return total


@torch.inference_mode()
def log_softmax_at(model: Any, ids: list[int], position: int) -> list[float]:
    logits = model(input_ids=torch.tensor([ids])).logits[0, position]
    found: list[float] = torch.log_softmax(logits.double(), 0).tolist()
    return found
