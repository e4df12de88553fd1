"""Batches of continued pre-training: what is asked, what is masked, and in which order passages come."""

from itertools import islice

import numpy as np
import pytest
import torch

from tests.workers.engine.conftest import build_tokenizer
from workers.training.corpus import Tokens
from workers.training.lm_batches import Batches, rows_by_step


@pytest.fixture(scope="module")
def masked() -> Batches:
    tokenizer = build_tokenizer("wordpiece")
    return Batches.of(tokenizer, tokenizer.mask_token_id)


def rows(count: int, length: int) -> list[Tokens]:
    return [np.array([2, *([20] * length), 3], dtype=np.int32)] * count


def test_15_percent_are_asked_of_which_80_are_masked_and_10_random(masked: Batches) -> None:
    batch = masked.of_rows(rows(200, 100), np.random.default_rng(0))
    given = batch.ids[batch.asked]
    assert (batch.answers == 20).all()
    assert len(given) / 20_000 == pytest.approx(0.15, abs=0.01)
    assert torch.eq(given, masked.mask or 0).float().mean() == pytest.approx(0.8, abs=0.02)
    assert torch.eq(given, 20).float().mean() == pytest.approx(0.1, abs=0.02)
    assert not np.isin(given[given != masked.mask], masked.special).any()


def test_special_tokens_and_padding_are_never_asked(masked: Batches) -> None:
    batch = masked.of_rows([*rows(50, 30), *rows(50, 3)], np.random.default_rng(0))
    assert not batch.asked[:, 0].any()
    assert not batch.asked[50:, 4:].any()
    assert batch.attention[50:].sum(1).tolist() == [5] * 50


def test_a_batch_always_asks_something(masked: Batches) -> None:
    for seed in range(20):
        assert masked.of_rows(rows(1, 1), np.random.default_rng(seed)).asked.sum() == 1


def test_a_causal_model_is_asked_for_each_next_token() -> None:
    batches = Batches.of(build_tokenizer("bytes_plain"), None)
    batch = batches.of_rows([np.array([7, 8, 9], np.int32), np.array([5, 6], np.int32)], np.random.default_rng(0))
    assert batch.asked.tolist() == [[True, True, False], [True, False, False]]
    assert torch.equal(batch.answers, torch.tensor([8, 9, 6]))


def test_each_pass_has_all_passages_once_in_an_order_of_its_own() -> None:
    steps = list(islice(rows_by_step(7, 3, seed=1), 6))
    first, second = (np.concatenate(some).tolist() for some in (steps[:3], steps[3:]))
    assert sorted(first) == sorted(second) == list(range(7))
    assert first != second
