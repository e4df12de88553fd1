"""Masked language models: the log-probability of a token at a position, and its distance from being the likeliest."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from plumbline.spec.errors import ModelError
from workers.engine.attention import FEWEST_ROWS, repeated
from workers.engine.batching import in_batches, longest_first
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.heads import FAMILIES, Head, head_of
from workers.engine.least_change import LOGITS_SORTED_AT_ONCE, least_distances
from workers.engine.packed import packed
from workers.engine.state_cache import StateCache
from workers.engine.vocabulary import BoolArray, named_rows
from workers.engine.xlnet import permuted

FloatArray = npt.NDArray[np.float64]
Progress = Callable[[int], None]
Found = TypeVar("Found")
"""The result of reading some places."""
Read = Callable[[list[list[int]], Tensor], Found]
"""A function that takes the query numbers of some places and the model's output there, and returns a result."""
Answers = list[tuple[list[int], npt.ArrayLike]]
"""Query numbers with their answers."""

CPU_TOKENS, GPU_TOKENS = 4096, 32768
# Logits of one step: 16 MB in float32, which fit into the cache.
LOGITS_AT_ONCE = 1 << 22


@dataclass(frozen=True)
class MaskedQuery:
    """A query for log P(token at `position` = `target`), natural logarithm.

    `within` names a class of tokens; the answer is then log(P(target) / P(class)).
    """

    ids: tuple[int, ...]
    position: int
    target: int
    within: str = ""


Places = list[tuple[int, int, int]]
"""Places to read: row and column of the batch, and the number of the input."""


class MaskedModel:
    """A masked language model in evaluation mode; `head` is its vocabulary head, None for an unknown family."""

    described = 0
    """The number of tokens for which each text leaves room, because a description is put before it."""

    def __init__(self, checkpoint: Checkpoint, model: Any) -> None:
        self.checkpoint = checkpoint
        self.tokenizer = checkpoint.tokenizer
        self.model = model
        self.head = head_of(model)
        own_way = permuted(model, checkpoint.reference, self.tokenizer.mask_token_id)
        self.body = own_way or (packed(model) if self.head else None)
        self.state_cache = StateCache()
        self.device: torch.device = model.device
        self.vocabulary_size: int = model.config.vocab_size
        self.token_budget = CPU_TOKENS if self.device.type == "cpu" else GPU_TOKENS

    @property
    def mask_token_id(self) -> int:
        """The id of the mask token. Raises ModelError if the tokenizer has none."""
        return mask_token_id(self.checkpoint)

    @cached_property
    def named(self) -> int:
        """The number of rows of the vocabulary matrix for which the tokenizer has a token."""
        return named_rows(self.tokenizer, self.vocabulary_size)

    @torch.inference_mode()
    def log_probabilities(
        self,
        queries: Sequence[MaskedQuery],
        classes: Mapping[str, BoolArray] | None = None,
        progress: Progress | None = None,
    ) -> FloatArray:
        """Return the log-probabilities, float64 [n], in the order of the queries and independent of the batches.

        `classes` gives the members of each class that a query names, bool [V]. `progress` is called with the number of
        queries answered since its last call. Raises KeyError for a missing class, ModelError when a single input does
        not fit into memory.
        """
        plan = _Plan(queries)
        members = {name: torch.from_numpy(np.flatnonzero((classes or {})[name])) for name in plan.classes}
        members = {name: tokens.to(self.device) for name, tokens in members.items()}

        def read(asked: list[list[int]], states: Tensor) -> Answers:
            return _answers(queries, asked, self._logits(states), members)

        return self._answers(plan, read, LOGITS_AT_ONCE, progress)

    @torch.inference_mode()
    def distances(
        self,
        queries: Sequence[MaskedQuery],
        margin: float = 1.0,
        *,
        with_bias: bool = False,
        progress: Progress | None = None,
    ) -> FloatArray:
        """Return how far the last layer is from ranking each target first, float64 [n], in the order of the queries.

        The result is the least

        A' - A

        ^2 (squared Frobenius norm) at which the target's logit exceeds every other by `margin`. A is the decoder's
        matrix, `with_bias` with the bias as its last column. Rows without a token are ignored. If A is also the
        input embedding, the hidden states stay fixed. Raises ModelError for a family whose head `heads` cannot split,
        and when a single input does not fit into memory.
        """
        head, plan = self._known_head(), _Plan(queries)

        def read(asked: list[list[int]], states: Tensor) -> Answers:
            hidden = head.transform(repeated(states))
            logits = head.decoded(hidden)[: len(states), : self.named]
            targets = [[queries[number].target for number in numbers] for numbers in asked]
            found = least_distances(hidden[: len(states)], logits, targets, margin, with_bias=with_bias)
            return list(zip(asked, found, strict=True))

        return self._answers(plan, read, LOGITS_SORTED_AT_ONCE, progress)

    @torch.inference_mode()
    def read_logits(
        self,
        places: Sequence[tuple[tuple[int, ...], int]],
        read: Read[Found],
        keep: Callable[[Found], None],
        progress: Progress | None = None,
    ) -> None:
        """Call `read` with the logits, float32 [some, V], of some places at a time (positions of inputs).

        Each row comes with the numbers of the places that it answers: several if a place is queried twice. When
        memory runs out, places are read again. `keep` is called once for each place with the result.
        """
        plan = _Plan([MaskedQuery(ids, position, 0) for ids, position in places])
        self._read(plan, lambda asked, states: read(asked, self._logits(states)), keep, LOGITS_AT_ONCE, progress)

    def _known_head(self) -> Head:
        if self.head is None:
            raise ModelError(
                f"{self.checkpoint.reference} is of the family {self.model.config.model_type!r}, whose last layer is"
                f" not known here: choose a model of one of the families {', '.join(FAMILIES)}"
            )
        return self.head

    def _logits(self, states: Tensor) -> Tensor:
        """Return the logits of the body's output at some places, float32 [places, V]."""
        return self.head.logits(repeated(states))[: len(states)] if self.head else states.float()

    def _answers(self, plan: "_Plan", read: Read[Answers], logits: int, progress: Progress | None) -> FloatArray:
        answers = np.full(plan.queries, np.nan)

        def keep(found: Answers) -> None:
            for numbers, values in found:
                answers[numbers] = values

        self._read(plan, read, keep, logits, progress)
        return answers

    def _read(
        self,
        plan: "_Plan",
        read: Read[Found],
        keep: Callable[[Found], None],
        logits: int,
        progress: Progress | None,
    ) -> None:
        """Run all inputs, and call `read` with the queries of some places at a time and the body's output there."""

        def run(batch: list[int]) -> list[Found]:
            places = [(row, position, index) for row, index in enumerate(batch) for position in plan.positions[index]]
            states, step = self._known_states([plan.inputs[index] for index in batch], places), self._at_once(logits)
            asked = [plan.asked[index, position] for _, position, index in places]
            chunks = [slice(start, start + step) for start in range(0, len(places), step)]
            return [read(asked[chunk], states[chunk]) for chunk in chunks]

        def keep_all(batch: list[int], found: list[Found]) -> None:
            for one in found:
                keep(one)
            if progress:
                progress(sum(len(plan.asked[index, position]) for index in batch for position in plan.positions[index]))

        lengths = [self._tokens(ids) for ids in plan.inputs]
        cost = lambda first, _: lengths[first]  # noqa: E731
        self.token_budget = in_batches(longest_first(lengths), cost, self.token_budget, run, keep_all)

    def _tokens(self, ids: tuple[int, ...]) -> int:
        """Return how many tokens an input adds to a batch."""
        return len(ids)

    def _at_once(self, logits: int) -> int:
        return max(1, logits // self.vocabulary_size)

    def _known_states(self, inputs: list[tuple[int, ...]], places: Places) -> Tensor:
        """Return the body's hidden states, which are cached for several methods; logits would take too much memory."""
        if self.head is None:
            return self._states(inputs, places)
        batch = (tuple(inputs), tuple((row, position) for row, position, _ in places))
        return self.state_cache.of(batch, lambda: self._states(inputs, places)).to(self.device)

    def _states(self, inputs: list[tuple[int, ...]], places: Places) -> Tensor:
        """Return the body's hidden states [places, H]; the logits [places, V] if the family's head is unknown."""
        if self.body is not None:
            return self.body.states(inputs, [(row, position) for row, position, _ in places])
        ids, attention = self._padded(inputs)
        rows = torch.tensor([row for row, _, _ in places], device=self.device)
        positions = torch.tensor([position for _, position, _ in places], device=self.device)
        body = self.model.base_model if self.head else self.model
        states: Tensor = body(input_ids=ids, attention_mask=attention)[0][rows, positions]
        return states

    def _padded(self, inputs: list[tuple[int, ...]]) -> tuple[Tensor, Tensor]:
        """Return tokens and attention mask, [inputs or more, longest], padded on the right."""
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
    """The queries by input and position: each distinct input is run once, each distinct position read once."""

    def __init__(self, queries: Sequence[MaskedQuery]) -> None:
        index: dict[tuple[int, ...], int] = {}
        self.asked: dict[tuple[int, int], list[int]] = defaultdict(list)
        for number, query in enumerate(queries):
            if not 0 <= query.position < len(query.ids):
                raise ValueError(f"position {query.position} lies outside the {len(query.ids)} tokens of the input")
            self.asked[index.setdefault(query.ids, len(index)), query.position].append(number)
        self.inputs = list(index)
        self.queries = len(queries)
        self.positions: list[list[int]] = [[] for _ in self.inputs]
        for number, position in self.asked:
            self.positions[number].append(position)
        self.classes = {query.within for query in queries if query.within}


def _answers(
    queries: Sequence[MaskedQuery], asked: list[list[int]], logits: Tensor, members: Mapping[str, Tensor]
) -> Answers:
    """Return log P(target) - log P(class) from the same logits; without a class, over the whole vocabulary.

    The logits are overwritten.
    """
    by_class: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for row, numbers in enumerate(asked):
        for number in numbers:
            by_class[queries[number].within].append((row, number))
    answers: Answers = []
    # The whole vocabulary is last, because it overwrites the logits.
    for name, pairs in sorted(by_class.items(), reverse=True):
        rows = sorted({row for row, _ in pairs})
        place = {row: index for index, row in enumerate(rows)}
        read = logits[rows] if len(rows) < len(logits) else logits
        at = [place[row] for row, _ in pairs]
        of_targets = read[at, [queries[number].target for _, number in pairs]].double()
        mass = read[:, members[name]].logsumexp(1) if name else _log_sum_exp(read)
        answers.append(([number for _, number in pairs], (of_targets - mass[at].double()).cpu().numpy()))
    return answers


def _log_sum_exp(logits: Tensor) -> Tensor:
    """Return the log-sum-exp by row, in place: a copy of all logits would take as long as half of the sum."""
    top = logits.amax(1, keepdim=True)
    top.masked_fill_(top.isinf(), 0.0)
    return logits.sub_(top).exp_().sum(1).log_().add_(top[:, 0])


def mask_token_id(checkpoint: Checkpoint) -> int:
    """Return the tokenizer's mask token. Raises ModelError if it has none, because masked probes need one."""
    token: int | None = checkpoint.tokenizer.mask_token_id
    if token is None:
        raise ModelError(
            f"the tokenizer of {checkpoint.reference} has no mask token: a masked probe needs one;"
            " declare mask_token in its tokenizer_config.json or choose another model"
        )
    return token
