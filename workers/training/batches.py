"""Masked batches that depend only on the seed and the step, so that a resumed training sees the same ones."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from workers.training.corpus import Tokens


@dataclass(frozen=True)
class Special:
    """The tokenizer's special tokens."""

    padding: int
    start: int
    end: int
    mask: int

    @classmethod
    def of(cls, tokenizer: Any) -> "Special":
        return cls(tokenizer.pad_token_id, tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.mask_token_id)


@dataclass(frozen=True)
class MaskedBatch:
    ids: Tensor  # [rows, longest]
    attention: Tensor  # [rows, longest]
    masked: Tensor  # bool [rows, longest]
    answers: Tensor  # [masked tokens]

    def to(self, device: torch.device) -> "MaskedBatch":
        return MaskedBatch(*(one.to(device) for one in (self.ids, self.attention, self.masked, self.answers)))


def rows_of_step(lengths: npt.NDArray[np.int64], tokens: int, seed: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the passages of each step, without end: batches of about `tokens` tokens, of passages of similar length.

    Each pass over the passages forms new batches.
    """
    epoch = 0
    while True:
        random = np.random.default_rng((seed, epoch))
        order = np.lexsort((random.random(len(lengths)), lengths))
        bounds = np.searchsorted(
            np.cumsum(lengths[order] + 2), np.arange(tokens, lengths.sum() + 2 * len(lengths), tokens)
        )
        batches = [rows for rows in np.split(order, bounds) if len(rows)]
        yield from (batches[index] for index in random.permutation(len(batches)))
        epoch += 1


def masked_batch(passages: Sequence[Tokens], special: Special, rate: float, random: np.random.Generator) -> MaskedBatch:
    """Return passages between [CLS] and [SEP], padded on the right, with each token masked with probability `rate`.

    A masked token is always replaced by [MASK], because probes ask such tokens and unchanged ones teach nothing.
    """
    lengths = np.array([len(passage) for passage in passages])
    ids = np.full((len(passages), lengths.max() + 2), special.padding, dtype=np.int64)
    for row, passage in zip(ids, passages, strict=True):
        row[: len(passage) + 2] = (special.start, *passage, special.end)
    columns = np.arange(ids.shape[1])
    inside = (columns > 0) & (columns <= lengths[:, None])
    masked = inside & (random.random(ids.shape) < rate)
    # A batch without a masked token would have no loss.
    masked[0, 1] |= not masked.any()
    answers = ids[masked]
    ids[masked] = special.mask
    attention = (columns < lengths[:, None] + 2).astype(np.int64)
    return MaskedBatch(*(torch.from_numpy(one) for one in (ids, attention, masked, answers)))
