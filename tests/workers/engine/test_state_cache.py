"""What a body said of a batch is kept for the next method that asks the same."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
import torch
from torch import Tensor

from workers.engine.masked import MaskedModel, MaskedQuery
from workers.engine.state_cache import StateCache

QUERIES = [MaskedQuery((2, first, 4, 4, 3), 2, target) for first in range(10, 30) for target in (7, 20)]


@contextmanager
def runs_of(model: MaskedModel) -> Iterator[list[int]]:
    """How many rows were run each time."""
    run: list[int] = []
    hook = model.model.get_input_embeddings().register_forward_hook(lambda _, __, output: run.append(len(output)))
    try:
        yield run
    finally:
        hook.remove()


@pytest.fixture
def model(masked: Callable[[str], MaskedModel]) -> MaskedModel:
    model = masked("bert")
    model.state_cache.clear()
    return model


def test_a_second_method_runs_no_batch_again_and_finds_the_same(model: MaskedModel) -> None:
    expected = model.distances(QUERIES)
    model.state_cache.clear()
    model.log_probabilities(QUERIES)
    with runs_of(model) as run:
        found = model.distances(QUERIES)
    assert not run
    np.testing.assert_array_equal(found, expected)


def test_another_position_of_the_same_inputs_is_another_batch(model: MaskedModel) -> None:
    first = model.log_probabilities(QUERIES)
    moved = [MaskedQuery(query.ids, 3, query.target) for query in QUERIES]
    with runs_of(model) as run:
        second = model.log_probabilities(moved)
    assert run == [20]
    assert np.abs(first - second).max() > 0.01


def test_logits_of_an_unknown_head_are_not_kept(masked: Callable[[str], MaskedModel]) -> None:
    model = masked("mpnet")
    model.log_probabilities(QUERIES)
    assert model.state_cache.size == 0


def test_what_was_asked_for_longest_ago_goes_first() -> None:
    kept, run = StateCache(most=2 * 16), list[str]()

    def ask(name: str) -> Tensor:
        return kept.of(name, lambda: run.append(name) or torch.zeros(4))  # type: ignore[func-returns-value]

    for name in ("a", "b", "a", "c", "a", "b"):
        ask(name)
    assert run == ["a", "b", "c", "b"]
    assert kept.size == 2 * 16


def test_a_batch_larger_than_all_that_may_be_kept_is_answered_and_not_kept() -> None:
    kept = StateCache(most=8)
    assert torch.equal(kept.of("a", lambda: torch.ones(4)), torch.ones(4))
    assert kept.size == 0
