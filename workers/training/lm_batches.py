"""Batches for continued pre-training: masked tokens, or next tokens. They depend only on the seed and the step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from workers.training.corpus import Tokens

RATE = 0.15
"""The share of tokens that a masked model is asked for."""
MASK, RANDOM = 0.8, 0.1
"""Of these, the shares that are replaced by the mask and by a random token; the others stay (Devlin et al. 2019)."""


@dataclass(frozen=True)
class Batch:
    ids: Tensor
    """[rows, longest], padded on the right"""
    attention: Tensor
    """[rows, longest]"""
    asked: Tensor
    """bool [rows, longest]: the places whose logits predict the answers"""
    answers: Tensor
    """[asked places]"""

    def to(self, device: torch.device) -> "Batch":
        return Batch(*(one.to(device) for one in (self.ids, self.attention, self.asked, self.answers)))


@dataclass(frozen=True)
class Batches:
    """The batches of a tokenizer; `mask` is None for a causal model, which is asked for each next token."""

    padding: int
    mask: int | None
    special: npt.NDArray[np.int64]
    ordinary: npt.NDArray[np.int64]
    """All other tokens, among which random ones are drawn."""

    @classmethod
    def of(cls, tokenizer: Any, mask: int | None) -> "Batches":
        special = np.array(sorted(set(tokenizer.all_special_ids)), dtype=np.int64)
        ordinary = np.setdiff1d(np.arange(len(tokenizer)), special)
        return cls(tokenizer.pad_token_id or 0, mask, special, ordinary)

    def can_be_asked(self, row: Tokens) -> bool:
        """Return whether a batch of this row alone would have an answer."""
        return bool((~np.isin(row, self.special)).any()) if self.mask is not None else len(row) > 1

    def of_rows(self, rows: Sequence[Tokens], random: np.random.Generator) -> Batch:
        """Return the batch of some rows; at least one place is asked."""
        lengths = np.array([len(row) for row in rows])
        ids = np.full((len(rows), lengths.max()), self.padding, dtype=np.int64)
        for padded, row in zip(ids, rows, strict=True):
            padded[: len(row)] = row
        there = np.arange(ids.shape[1]) < lengths[:, None]
        asked, answers = self._next(ids, there) if self.mask is None else self._masked(ids, there, random)
        return Batch(*(torch.from_numpy(one) for one in (ids, there.astype(np.int64), asked, answers)))

    def _next(self, ids: Any, there: Any) -> tuple[Any, Any]:
        asked = np.zeros_like(there)
        asked[:, :-1] = there[:, 1:]
        return asked, ids[:, 1:][asked[:, :-1]]

    def _masked(self, ids: Any, there: Any, random: np.random.Generator) -> tuple[Any, Any]:
        """Choose places and replace their tokens in `ids`."""
        ordinary = there & ~np.isin(ids, self.special)
        asked = ordinary & (random.random(ids.shape) < RATE)
        if not asked.any():
            asked[tuple(np.argwhere(ordinary)[0])] = True
        answers, fate = ids[asked], random.random(int(asked.sum()))
        drawn = random.choice(self.ordinary, len(answers))
        ids[asked] = np.select([fate < MASK, fate < MASK + RANDOM], [np.full_like(answers, self.mask), drawn], answers)
        return asked, answers


def rows_by_step(count: int, batch: int, seed: int) -> Iterator[npt.NDArray[np.int64]]:
    """Yield the rows of each step, without end: every pass has all rows once, in an order of its own."""
    epoch = 0
    while True:
        order = np.random.default_rng((seed, epoch)).permutation(count)
        yield from np.split(order, range(batch, count, batch))
        epoch += 1
