"""What the probe asks, read from the plain model: one sentence and one token at a time."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch

from workers.probes.protocol import Model


def filled(model: Model, text: str, word: str, without: str = "", masks: int = 1) -> float:
    """log P(word) at the "*" of a text, filled in from left to right; masks stand where `without` stood."""
    mask, ids = model.tokenizer.mask_token_id, tokens(model, text.replace("*", word), special=True)
    word_tokens = tokens(model, word)
    place = slot(model, ids, text.split("*")[0], word)
    for at in place:
        ids[at] = mask
    if without:
        given = slot(model, ids, text.replace("*", word).split(without)[0], without)
        ids[given.start : given.stop] = [mask] * masks
        shift = masks - len(given) if given.start < place.start else 0
        place = range(place.start + shift, place.stop + shift)
    total = 0.0
    for at, token in zip(place, word_tokens, strict=True):
        total += float(log_softmax(model, ids, at)[token])
        ids[at] = token
    return total


def tokens(model: Model, text: str, *, special: bool = False) -> list[int]:
    found: list[int] = model.tokenizer(text, add_special_tokens=special)["input_ids"]
    return found


def slot(model: Model, ids: list[int], before: str, word: str) -> range:
    """Where a word stands that follows a text."""
    start = len(tokens(model, before.rstrip())) + (ids[0] == model.tokenizer.cls_token_id)
    return range(start, start + len(tokens(model, word)))


@torch.inference_mode()
def log_softmax(model: Model, ids: list[int], position: int) -> torch.Tensor:
    """As the plain class of the model gives it."""
    fed: dict[str, Any] = {"input_ids": torch.tensor([ids])}
    if model.model.config.model_type == "xlnet":
        hidden = fed["input_ids"] == model.tokenizer.mask_token_id
        fed |= {
            "perm_mask": hidden[:, None].expand(1, len(ids), -1).float(),
            "target_mapping": torch.eye(len(ids))[None],
        }
    found: torch.Tensor = model.model(**fed).logits[0, position].double().log_softmax(-1)
    return found


def follows(model: Model, text: str, word: str) -> float:
    """log P(word) after a text, by the chain rule, each token with a pass of its own."""
    ids, total = tokens(model, text, special=True), 0.0
    for token in tokens(model, f" {word}"):
        total += float(log_softmax(model, ids, len(ids) - 1)[token])
        ids.append(token)
    return total


def mean(log_p: Sequence[float]) -> float:
    """Natural log of the mean probability."""
    return float(np.logaddexp.reduce(log_p) - np.log(len(log_p)))
