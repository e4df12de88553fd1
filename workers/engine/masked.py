"""Masked language models: the log-probability of a token at a position."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from plumbline.spec.errors import ModelError
from workers.engine.attention import FEWEST_ROWS, repeated
from workers.engine.batching import in_batches, longest_first
from workers.engine.checkpoint import Checkpoint
from workers.engine.heads import head_of
from workers.engine.vocabulary import BoolArray

FloatArray = npt.NDArray[np.float64]
Progress = Callable[[int], None]

CPU_TOKENS, GPU_TOKENS = 2048, 32768
# Logits of one step: 64 MB in float32, which stays near the cache and far from the memory's end.
LOGITS_AT_ONCE = 1 << 24


@dataclass(frozen=True)
class MaskedQuery:
    """log P(token at `position` = `target`), natural logarithm.

    `within` names a class of tokens: then log(P(target) / P(class)).
    """

    ids: tuple[int, ...]
    position: int
    target: int
    within: str = ""


class MaskedModel:
    """A masked language model in evaluation mode; `head` is its vocabulary head, None for an unknown family."""

    def __init__(self, checkpoint: Checkpoint, model: Any) -> None:
        self.checkpoint = checkpoint
        self.tokenizer = checkpoint.tokenizer
        self.model = model
        self.head = head_of(model)
        self.device: torch.device = model.device
        self.vocabulary_size: int = model.config.vocab_size
        self.token_budget = CPU_TOKENS if self.device.type == "cpu" else GPU_TOKENS

    @property
    def mask_token_id(self) -> int:
        """Raises ModelError where the tokenizer has no mask token."""
        return mask_token_id(self.checkpoint)

    @torch.inference_mode()
    def log_probabilities(
        self,
        queries: Sequence[MaskedQuery],
        classes: Mapping[str, BoolArray] | None = None,
        progress: Progress | None = None,
    ) -> FloatArray:
        """The answers, float64 [n], in the order of the queries; they do not depend on the batches.

        `classes` gives the members of each class that a query names, bool [V]. `progress` is called with the number of
        queries answered since its last call. Raises KeyError for a class that is not given, ModelError when one input
        alone does not fit into memory.
        """
        plan = _Plan(queries)
        members = {name: torch.from_numpy(np.flatnonzero((classes or {})[name])) for name in plan.classes}
        members = {name: tokens.to(self.device) for name, tokens in members.items()}
        answers = np.full(len(queries), np.nan)

        def run(batch: list[int]) -> None:
            places = [(row, position, index) for row, index in enumerate(batch) for position in plan.positions[index]]
            for some, logits in self._logits([plan.inputs[index] for index in batch], places):
                asked = [plan.asked[index, position] for _, position, index in some]
                _answer(queries, asked, logits, members, answers)
            if progress:
                progress(sum(len(plan.asked[index, position]) for _, position, index in places))

        lengths = [len(ids) for ids in plan.inputs]
        self.token_budget = in_batches(longest_first(lengths), lambda first, _: lengths[first], self.token_budget, run)
        return answers

    def _logits(
        self, inputs: list[tuple[int, ...]], places: list[tuple[int, int, int]]
    ) -> Iterator[tuple[list[tuple[int, int, int]], Tensor]]:
        """Some places at a time, with their logits, float32 [places, V]."""
        ids, attention = self._padded(inputs)
        rows = torch.tensor([row for row, _, _ in places], device=self.device)
        positions = torch.tensor([position for _, position, _ in places], device=self.device)
        body = self.model.base_model if self.head else self.model
        states = body(input_ids=ids, attention_mask=attention)[0][rows, positions]  # [places, H], or [places, V]
        step = max(1, LOGITS_AT_ONCE // self.vocabulary_size)
        for start in range(0, len(places), step):
            some = states[start : start + step]
            logits = self.head.logits(repeated(some))[: len(some)] if self.head else some.float()
            yield places[start : start + step], logits

    def _padded(self, inputs: list[tuple[int, ...]]) -> tuple[Tensor, Tensor]:
        """Tokens and attention mask, [inputs or more, longest]; padding on the right."""
        padding = next(
            (token for token in (self.model.config.pad_token_id, self.tokenizer.pad_token_id) if token is not None), 0
        )
        longest = max(map(len, inputs))
        ids = torch.tensor([[*tokens, *[padding] * (longest - len(tokens))] for tokens in inputs], device=self.device)
        lengths = torch.tensor([len(tokens) for tokens in inputs], device=self.device)
        attention = (torch.arange(longest, device=self.device) < lengths[:, None]).long()
        fewest = -(-FEWEST_ROWS // longest)
        return repeated(ids, fewest), repeated(attention, fewest)


class _Plan:
    """Each distinct input is run once, and each distinct position of it is read once."""

    def __init__(self, queries: Sequence[MaskedQuery]) -> None:
        index: dict[tuple[int, ...], int] = {}
        self.asked: dict[tuple[int, int], list[int]] = defaultdict(list)
        for number, query in enumerate(queries):
            if not 0 <= query.position < len(query.ids):
                raise ValueError(f"position {query.position} lies outside the {len(query.ids)} tokens of the input")
            self.asked[index.setdefault(query.ids, len(index)), query.position].append(number)
        self.inputs = list(index)
        self.positions: list[list[int]] = [[] for _ in self.inputs]
        for number, position in self.asked:
            self.positions[number].append(position)
        self.classes = {query.within for query in queries if query.within}


def _answer(
    queries: Sequence[MaskedQuery],
    asked: list[list[int]],
    logits: Tensor,
    members: Mapping[str, Tensor],
    answers: FloatArray,
) -> None:
    """log P(target) - log P(class), both from the same logits; the class is the whole vocabulary if none is named."""
    by_class: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row, numbers in enumerate(asked):
        for number in numbers:
            by_class[queries[number].within].append((row, number))
    for name, pairs in by_class.items():
        rows = sorted({row for row, _ in pairs})
        place = {row: index for index, row in enumerate(rows)}
        read = logits[rows] if len(rows) < len(logits) else logits
        mass = (read[:, members[name]] if name else read).logsumexp(1)
        at = [place[row] for row, _ in pairs]
        targets = [queries[number].target for _, number in pairs]
        answers[[number for _, number in pairs]] = (read[at, targets].double() - mass[at].double()).cpu().numpy()


def mask_token_id(checkpoint: Checkpoint) -> int:
    """The tokenizer's mask token. Raises ModelError where it has none, as a masked probe cannot be asked then."""
    token: int | None = checkpoint.tokenizer.mask_token_id
    if token is None:
        raise ModelError(
            f"the tokenizer of {checkpoint.reference} has no mask token: a masked probe needs one;"
            " declare mask_token in its tokenizer_config.json or choose another model"
        )
    return token
