"""Many continuations of many contexts in one pass: a tree of tokens laid out as one row.

    All women are  power less          tokens     All women are power less poor men are
                 \\ poor               position    0    1    2    3    4    3    1   2
         \\ men are                    sees        its ancestors and itself

A token that sequences share is run once, and there is no padding.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from torch import Tensor

from workers.engine.attention import FEWEST_ROWS

ROOT = -1


@dataclass
class Trie:
    """Token sequences with shared beginnings stored once. A node represents the sequence that ends in it."""

    tokens: list[int] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)
    _children: dict[int, dict[int, int]] = field(default_factory=dict)

    def insert(self, tokens: Sequence[int], below: int = ROOT) -> list[int]:
        """Insert the tokens after the sequence `below`, and return their nodes."""
        nodes = []
        for token in tokens:
            below = self._child(below, token)
            nodes.append(below)
        return nodes

    def _child(self, parent: int, token: int) -> int:
        children = self._children.setdefault(parent, {})
        if token not in children:
            children[token] = len(self.tokens)
            self.tokens.append(token)
            self.parents.append(parent)
            self.depths.append(self.depths[parent] + 1 if parent != ROOT else 0)
        return children[token]

    def leaves(self) -> Iterator[int]:
        """Yield the nodes without children, with neighbours next to each other."""
        waiting = [ROOT]
        while waiting:
            node = waiting.pop()
            children = self._children.get(node, {})
            waiting.extend(reversed(children.values()))
            if not children and node != ROOT:
                yield node

    def path(self, node: int) -> list[int]:
        """Return all nodes from the first token to this one."""
        path = []
        while node != ROOT:
            path.append(node)
            node = self.parents[node]
        return path[::-1]


@dataclass(frozen=True)
class Layout:
    """The inputs of a model, and the position of each node of the trie in them."""

    ids: Tensor  # [rows, columns]
    positions: Tensor  # [rows, columns]
    attention: Tensor  # [1, 1, columns, columns], added to the scores, or [rows, columns], 1 for a token
    places: dict[int, tuple[int, int]]  # node -> (row, column)


def as_tree(trie: Trie, leaves: Sequence[int], dtype: torch.dtype) -> Layout:
    """Return one row in which each token sees its ancestors."""
    nodes = list(dict.fromkeys(node for leaf in leaves for node in trie.path(leaf)))
    column = {node: index for index, node in enumerate(nodes)}
    padding = [0] * (FEWEST_ROWS - len(nodes))
    # Padding sees itself, because a token that sees nothing gives NaN.
    sees = np.eye(len(nodes) + len(padding), dtype=np.bool_)
    for index, node in enumerate(nodes):
        if trie.parents[node] != ROOT:
            sees[index] |= sees[column[trie.parents[node]]]
    # The mask is added to the scores and is not boolean, because every attention implementation supports that.
    attention = torch.zeros(sees.shape, dtype=dtype).masked_fill_(torch.from_numpy(~sees), torch.finfo(dtype).min)
    ids = torch.tensor([[trie.tokens[node] for node in nodes] + padding])
    positions = torch.tensor([[trie.depths[node] for node in nodes] + padding])
    return Layout(ids, positions, attention[None, None], {node: (0, index) for node, index in column.items()})


def as_rows(trie: Trie, leaves: Sequence[int]) -> Layout:
    """Return one sequence per row, padded on the right: slower, and supported by every model."""
    paths = [trie.path(leaf) for leaf in leaves]
    longest = max(FEWEST_ROWS, *map(len, paths))
    padding = [[0] * (longest - len(path)) for path in paths]
    ids = torch.tensor([[trie.tokens[node] for node in path] + pad for path, pad in zip(paths, padding, strict=True)])
    attention = torch.tensor([[1] * len(path) + pad for path, pad in zip(paths, padding, strict=True)])
    places: dict[int, tuple[int, int]] = {}
    for row, path in enumerate(paths):
        for position, node in enumerate(path):
            places.setdefault(node, (row, position))
    return Layout(ids, torch.arange(longest).expand_as(ids), attention, places)


@torch.inference_mode()
def reads_trees(model: Any) -> bool:
    """Return whether the model gives a tree the same logits as its rows.

    The model itself is tested, because many families have their own masks or positions. What counts is the root mean
    square of the differences of a token's logits. Rounding in bfloat16 moves it by up to 0.04 standard deviations of
    the logits (7 billion weights), a token that sees another branch by 1 to 2, wrong positions by 0.5 (SmolLM2 135M).
    """
    trie = Trie()
    step = max(1, model.config.vocab_size // 16)
    for branch in ((1, 2, 3, 4), (1, 2, 5), (6, 7)):
        trie.insert([step * token for token in branch])
    leaves = list(trie.leaves())
    tree, rows = as_tree(trie, leaves, model.dtype), as_rows(trie, leaves)
    device = model.device
    try:
        found = model(
            input_ids=tree.ids.to(device),
            attention_mask=tree.attention.to(device),
            position_ids=tree.positions.to(device),
            use_cache=False,
        ).logits.float()
    # Whatever error an unsupported mask causes, the answer is no.
    except (TypeError, ValueError, RuntimeError, IndexError, AttributeError):
        return False
    expected = model(input_ids=rows.ids.to(device), attention_mask=rows.attention.to(device), use_cache=False).logits
    ours = torch.stack([found[tree.places[node]] for node in tree.places])
    theirs = torch.stack([expected[rows.places[node]] for node in tree.places]).float()
    tolerance = (1e-4 if model.dtype == torch.float32 else 0.1) * theirs.std().item()
    return bool((ours - theirs).square().mean(1).sqrt().max() <= tolerance)
