from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch
from hypothesis import given
from hypothesis import strategies as st

from workers.engine.trees import ROOT, Trie, as_rows, as_tree, reads_trees

WORDS = 64


class Read:
    """A model in bfloat16 whose logits follow from a token and its position. Those of a tree have this much noise.

    `sees` is what it makes of the positions that a tree gives.
    """

    dtype, device = torch.bfloat16, "cpu"
    config = SimpleNamespace(vocab_size=WORDS)

    def __init__(self, noise: float, sees: Callable[[torch.Tensor], torch.Tensor] = lambda given: given) -> None:
        self.noise, self.sees = noise, sees
        self.logits = torch.randn(WORDS, 16, WORDS, generator=torch.manual_seed(0))

    def __call__(self, input_ids: Any, position_ids: Any = None, **_: Any) -> Any:
        rows = torch.arange(input_ids.shape[1]).expand_as(input_ids)
        positions = rows if position_ids is None else self.sees(position_ids)
        found = self.logits[input_ids, positions]
        moved = torch.randn(found.shape, generator=torch.manual_seed(1)) * (0 if position_ids is None else self.noise)
        return SimpleNamespace(logits=found + moved)


def test_rounding_of_a_large_model_in_bfloat16_does_not_hide_that_it_reads_trees() -> None:
    assert reads_trees(Read(noise=0.04))
    assert not reads_trees(Read(noise=0.2))
    assert not reads_trees(Read(noise=0.0, sees=torch.zeros_like))


sequences = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=6), min_size=1, max_size=12)


def planted(found: list[list[int]]) -> tuple[Trie, list[int]]:
    trie = Trie()
    return trie, [trie.insert(tokens)[-1] for tokens in found]


def spelled(trie: Trie, node: int) -> list[int]:
    return [trie.tokens[step] for step in trie.path(node)]


@given(sequences)
def test_a_node_spells_its_sequence_and_shared_beginnings_are_stored_once(found: list[list[int]]) -> None:
    trie, ends = planted(found)
    assert [spelled(trie, end) for end in ends] == found
    assert len(trie.tokens) == len({tuple(tokens[: n + 1]) for tokens in found for n in range(len(tokens))})


@given(sequences)
def test_the_leaves_are_the_sequences_that_no_other_continues(found: list[list[int]]) -> None:
    trie, _ = planted(found)
    distinct = {tuple(tokens) for tokens in found}
    alone = {one for one in distinct if not any(other != one and other[: len(one)] == one for other in distinct)}
    assert {tuple(spelled(trie, leaf)) for leaf in trie.leaves()} == alone


@given(sequences)
def test_in_a_tree_each_token_sees_its_own_sequence_and_nothing_else(found: list[list[int]]) -> None:
    trie, _ = planted(found)
    layout = as_tree(trie, list(trie.leaves()), torch.float32)
    for node, (row, column) in layout.places.items():
        seen = (layout.attention[0, 0, column] == 0).nonzero().ravel().tolist()
        assert [layout.ids[row, index] for index in seen] == spelled(trie, node)
        assert layout.positions[row, column] == trie.depths[node] == len(seen) - 1


@given(sequences)
def test_in_rows_each_node_is_after_its_sequence(found: list[list[int]]) -> None:
    trie, _ = planted(found)
    layout = as_rows(trie, list(trie.leaves()))
    assert set(layout.places) == set(range(len(trie.tokens)))
    for node, (row, column) in layout.places.items():
        assert layout.ids[row, : column + 1].tolist() == spelled(trie, node)
        assert layout.attention[row, : column + 1].all()


def test_what_follows_nothing_is_at_the_root() -> None:
    trie = Trie()
    assert trie.insert([]) == []
    assert trie.parents == []
    assert trie.insert([5]) == [0]
    assert trie.parents == [ROOT]
