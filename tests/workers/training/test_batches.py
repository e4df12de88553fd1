"""Batches are functions of the seed and the step; what is masked is what is asked."""

from itertools import islice

import numpy as np
import pytest

from workers.training.batches import Special, masked_batch, rows_of_step

SPECIAL = Special(padding=0, start=1, end=2, mask=3)
LENGTHS = np.random.default_rng(0).integers(4, 63, size=500)


def one_pass(seed: int) -> list[list[int]]:
    steps, seen, rows = rows_of_step(LENGTHS, 1024, seed), 0, []
    while seen < len(LENGTHS):
        rows.append(next(steps).tolist())
        seen += len(rows[-1])
    return rows


def test_a_pass_reads_each_passage_once() -> None:
    assert sorted(row for rows in one_pass(0) for row in rows) == list(range(500))


def test_a_step_is_as_large_as_asked_and_hardly_padded() -> None:
    steps = one_pass(0)
    assert all((LENGTHS[rows] + 2).sum() <= 1024 + 64 for rows in steps)
    padded = sum(len(rows) * (LENGTHS[rows].max() + 2) for rows in steps)
    assert (LENGTHS + 2).sum() / padded > 0.9


def test_a_step_depends_on_the_seed_and_its_number_alone() -> None:
    assert one_pass(1) == one_pass(1)
    assert one_pass(1) != one_pass(2)


def test_a_second_pass_puts_the_passages_together_again() -> None:
    first = one_pass(0)
    steps = rows_of_step(LENGTHS, 1024, 0)
    second = [rows.tolist() for rows in islice(steps, len(first), 2 * len(first))]
    assert sorted(row for rows in second for row in rows) == list(range(500))
    assert sorted(map(sorted, first)) != sorted(map(sorted, second))


# With a rate of 1 it is no matter of chance whether the start or the end of a sentence is masked.
@pytest.mark.parametrize("rate", [0.3, 1.0])
def test_masked_tokens_are_replaced_and_asked_and_no_others(rate: float) -> None:
    passages = [np.arange(10, 10 + length, dtype=np.int32) for length in (5, 30, 12)]
    batch = masked_batch(passages, SPECIAL, rate, np.random.default_rng(0))
    plain = np.zeros((3, 32), dtype=np.int64)
    for row, passage in zip(plain, passages, strict=True):
        row[: len(passage) + 2] = (1, *passage, 2)
    masked = batch.masked.numpy()
    assert (batch.ids.numpy()[masked] == SPECIAL.mask).all()
    assert (batch.ids.numpy()[~masked] == plain[~masked]).all()
    assert (batch.answers.numpy() == plain[masked]).all()
    assert (plain[masked] >= 10).all()
    assert (batch.attention.numpy() == (plain > 0)).all()


def test_the_rate_is_the_share_of_masked_tokens() -> None:
    passages = [np.full(60, 10, dtype=np.int32)] * 100
    batch = masked_batch(passages, SPECIAL, 0.25, np.random.default_rng(0))
    assert len(batch.answers) / 6000 == pytest.approx(0.25, abs=0.02)


def test_some_token_is_always_masked() -> None:
    batch = masked_batch([np.array([10, 11, 12, 13], dtype=np.int32)], SPECIAL, 0.0, np.random.default_rng(0))
    assert batch.answers.tolist() == [10]
