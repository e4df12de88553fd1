"""Causal language models: the log-probability of a continuation, and its distance from being the likeliest."""

import inspect
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from plumbline.spec.errors import ModelError
from workers.engine.attention import repeated
from workers.engine.batching import in_batches, longest_first
from workers.engine.checkpoints.checkpoint import Checkpoint
from workers.engine.least_change import LOGITS_SORTED_AT_ONCE, least_distances
from workers.engine.masked import FloatArray, Progress
from workers.engine.output import OutputLayer
from workers.engine.trees import ROOT, Layout, Trie, as_rows, as_tree, reads_trees
from workers.engine.vocabulary import boundary_tokens, named_rows

# A tree's attention is quadratic in its tokens. On a CPU, larger trees are not faster (measured with 135M parameters).
CPU_TOKENS, GPU_TOKENS = 384, 4096
LOGITS_ON_GPU = 1 << 28
_ENDS = -1

Found = dict[tuple[int, int], float]
"""A number for each node and next token."""


@dataclass(frozen=True)
class CausalQuery:
    """A query for log P(continuation | context), natural logarithm, summed over its tokens by the chain rule.

    `ends` adds the log-probability that the word ends there, which is that of all boundary tokens.
    """

    context: tuple[int, ...]
    continuation: tuple[int, ...]
    ends: bool = False


class CausalModel:
    """A causal language model in evaluation mode; `trees` says whether it can read many continuations in one pass."""

    described = 0
    """The number of tokens for which each text leaves room, because a description is put before it."""
    writing_budget = 0
    """The tokens of a batch that writes, read and written, once memory has shown how many fit."""

    def __init__(self, checkpoint: Checkpoint, model: Any) -> None:
        self.checkpoint = checkpoint
        self.tokenizer = checkpoint.tokenizer
        self.model = model
        self.device: torch.device = model.device
        self.trees = reads_trees(model)
        self.vocabulary_size: int = model.get_output_embeddings().weight.shape[0]
        gpu_tokens = min(GPU_TOKENS, LOGITS_ON_GPU // self.vocabulary_size)
        self.token_budget = CPU_TOKENS if self.device.type == "cpu" else gpu_tokens
        self._keeps_logits = "logits_to_keep" in inspect.signature(model.forward).parameters

    @cached_property
    def boundary(self) -> Tensor:
        """The tokens before which a word has ended, int64 [n]."""
        members = np.flatnonzero(boundary_tokens(self.tokenizer, self.vocabulary_size))
        return torch.from_numpy(members).to(self.device)

    @cached_property
    def output(self) -> OutputLayer:
        """The last linear layer. Raises ModelError if the last layer is not linear."""
        return OutputLayer(self.model, self.checkpoint.reference)

    @cached_property
    def scale(self) -> float:
        """The factor from the last layer's output to the logits. Raises ModelError if there is none."""
        return self.output.scale()

    @cached_property
    def named(self) -> int:
        """The number of rows of the vocabulary matrix for which the tokenizer has a token."""
        return named_rows(self.tokenizer, self.vocabulary_size)

    @torch.inference_mode()
    def log_probabilities(self, queries: Sequence[CausalQuery], progress: Progress | None = None) -> FloatArray:
        """Return the log-probabilities, float64 [n], in the order of the queries and independent of the batches.

        `progress` is called with the number of queries answered since its last call. Raises ModelError for a query
        without context, or when a single sequence does not fit into memory.
        """
        return self._answers(Plan(queries), self._log_probabilities, sum, progress)

    @torch.inference_mode()
    def distances(
        self,
        queries: Sequence[CausalQuery],
        margin: float = 1.0,
        *,
        with_bias: bool = False,
        progress: Progress | None = None,
    ) -> FloatArray:
        """Return the last layer's distance from ranking each continuation first, float64 [n], in the queries' order.

        For each token of the continuation, after the tokens before it: the least

        A' - A

        ^2 (squared Frobenius norm) at which its logit exceeds every other by `margin`; the result is the largest over
        the tokens. A is the matrix of the last layer, `with_bias` with the bias as its last column. A factor of the
        logits counts, a soft cap does not. Rows without a token are ignored. If A is also the input embedding, the
        hidden states stay fixed. Raises ModelError for a model whose logits are not those of one linear layer, and as
        `log_probabilities` does.
        """

        def read(plan: "Plan", layout: Layout, nodes: list[int]) -> Found:
            return self._distances(plan, layout, nodes, margin / self.scale, with_bias)

        return self._answers(Plan(queries), read, max, progress)

    def _answers(
        self,
        plan: "Plan",
        read: "Callable[[Plan, Layout, list[int]], Found]",
        combined: Callable[[Iterable[float]], float],
        progress: Progress | None,
    ) -> FloatArray:
        """Run all sequences, call `read` once per node, and combine the results along each query's continuation."""
        answers: Found = {}
        done: set[int] = set()

        def run(batch: list[int]) -> Found:
            layout = self._laid_out(plan, batch)
            nodes = [node for node in layout.places if node in plan.asked and node not in done]
            return read(plan, layout, nodes) if nodes else {}

        def keep(_: list[int], found: Found) -> None:
            nodes = {node for node, _ in found}
            answers.update(found)
            done.update(nodes)
            if progress:
                progress(sum(plan.finishing[node] for node in nodes))

        self.token_budget = in_batches(*self._work(plan), self.token_budget, run, keep)
        return np.array([combined([answers[one] for one in reads]) for reads in plan.reads], dtype=np.float64)

    def _work(self, plan: "Plan") -> tuple[list[int], Any]:
        """Return the leaves in the order of work, and a function for the tokens that each adds to a batch."""
        lengths = {leaf: plan.trie.depths[leaf] + 1 for leaf in plan.leaves}
        if self._in_trees(plan):
            fresh = _fresh_tokens(plan.trie, plan.leaves)
            return plan.leaves, lambda first, leaf: lengths[leaf] if leaf == first else fresh[leaf]
        order = longest_first([lengths[leaf] for leaf in plan.leaves])
        return [plan.leaves[index] for index in order], lambda first, _: lengths[first]

    def _laid_out(self, plan: "Plan", leaves: list[int]) -> Layout:
        tree = self._in_trees(plan)
        return as_tree(plan.trie, leaves, self.model.dtype) if tree else as_rows(plan.trie, leaves)

    def _in_trees(self, plan: "Plan") -> bool:
        """Return whether the batch is read as trees.

        A tree's mask shows a token all its ancestors, which is right only within a sliding window.
        """
        window = getattr(self.model.config.get_text_config(), "sliding_window", None)
        return self.trees and (not window or max(plan.trie.depths, default=0) < window)

    def _log_probabilities(self, plan: "Plan", layout: Layout, nodes: list[int]) -> Found:
        logits = self._next_logits(plan, layout, nodes)
        mass = logits.logsumexp(1)
        reads = [(row, target) for row, node in enumerate(nodes) for target in plan.asked[node] if target != _ENDS]
        rows, targets = [row for row, _ in reads], [target for _, target in reads]
        values = (logits[rows, targets].double() - mass[rows].double()).tolist()
        found = {(nodes[row], target): value for (row, target), value in zip(reads, values, strict=True)}
        ending = [row for row, node in enumerate(nodes) if _ENDS in plan.asked[node]]
        if ending:
            boundary = logits[ending][:, self.boundary].logsumexp(1)
            values = (boundary.double() - mass[ending].double()).tolist()
            found.update({(nodes[row], _ENDS): value for row, value in zip(ending, values, strict=True)})
        return found

    def _next_logits(self, _plan: "Plan", layout: Layout, nodes: list[int]) -> Tensor:
        """Return the logits of the next token after each node, float32 or float64 [nodes, V]."""
        return self._logits(layout, nodes).float()

    def _distances(self, plan: "Plan", layout: Layout, nodes: list[int], margin: float, with_bias: bool) -> Found:
        with self.output.watched() as seen:
            self._logits(layout, nodes)
        hidden, logits = (self._at(layout, nodes, states) for states in seen[0])
        step, found = max(1, LOGITS_SORTED_AT_ONCE // self.vocabulary_size), Found()
        for start in range(0, len(nodes), step):
            some = slice(start, start + step)
            targets = [list(plan.asked[node]) for node in nodes[some]]
            named = logits[some, : self.named].float()
            distances = least_distances(hidden[some], named, targets, margin, with_bias=with_bias)
            for node, tokens, values in zip(nodes[some], targets, distances, strict=True):
                found.update({(node, token): value for token, value in zip(tokens, values, strict=True)})
        return found

    def _logits(self, layout: Layout, nodes: list[int]) -> Tensor:
        """Return logits at the nodes [nodes, V]; vocabulary logits are computed only in the columns that are needed."""
        fed = {"input_ids": layout.ids, "attention_mask": layout.attention}
        if layout.attention.ndim == 4:
            fed["position_ids"] = layout.positions
        if self._keeps_logits:
            fed["logits_to_keep"] = repeated(torch.tensor(_columns(layout, nodes)))
        logits = self.model(**{name: tensor.to(self.device) for name, tensor in fed.items()}, use_cache=False).logits
        return self._at(layout, nodes, logits)

    def _at(self, layout: Layout, nodes: list[int], states: Tensor) -> Tensor:
        """Return the states at the nodes from states [rows, needed columns or all, ...]."""
        places = [layout.places[node] for node in nodes]
        at = {column: index for index, column in enumerate(_columns(layout, nodes))} if self._keeps_logits else {}
        return states[[row for row, _ in places], [at.get(column, column) for _, column in places]]


def _columns(layout: Layout, nodes: list[int]) -> list[int]:
    return sorted({layout.places[node][1] for node in nodes})


class Plan:
    """The queries as a trie of tokens: each distinct pair of node and next token is read once."""

    def __init__(self, queries: Sequence[CausalQuery]) -> None:
        self.trie = Trie()
        self.asked: dict[int, dict[int, None]] = defaultdict(dict)
        self.reads: list[list[tuple[int, int]]] = []
        self.finishing: Counter[int] = Counter()
        contexts: dict[tuple[int, ...], int] = {}
        for query in queries:
            if query.context not in contexts:
                contexts[query.context] = (self.trie.insert(query.context) or [ROOT])[-1]
            self._ask(query, contexts[query.context])
        self.leaves = list(self.trie.leaves())

    def _ask(self, query: CausalQuery, context: int) -> None:
        if context == ROOT:
            raise ModelError(
                "nothing stands before the word, and this tokenizer adds no token at the start of a text:"
                " put a word before the slot, or score another slot"
            )
        wanted = [*query.continuation, _ENDS] if query.ends else [*query.continuation]
        nodes = [context, *self.trie.insert(wanted[:-1], below=context)]
        reads = list(zip(nodes, wanted, strict=False))
        for node, target in reads:
            self.asked[node][target] = None
        self.reads.append(reads)
        self.finishing[nodes[-1]] += 1


def _fresh_tokens(trie: Trie, leaves: Sequence[int]) -> dict[int, int]:
    """Return how many tokens each leaf adds to the sequences before it."""
    seen: set[int] = set()
    fresh = {}
    for leaf in leaves:
        new = [node for node in trie.path(leaf) if node not in seen]
        seen.update(new)
        fresh[leaf] = len(new)
    return fresh
