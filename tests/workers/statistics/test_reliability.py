"""Split halves of kinds against the reliability that a simulation has."""

import numpy as np
import pytest

from workers.statistics.reliability import kinds_needed, split_half_reliability


def ranked(seed: int, words: int = 400, kinds: int = 12, own: float = 1.0, noise: float = 2.0) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return generator.normal(0, own, (words, 1)) + generator.normal(0, noise, (words, kinds))


def test_it_comes_near_to_its_value_by_theory() -> None:
    wanted = 1 / (1 + 4 / 12)
    found = [split_half_reliability(ranked(seed), 0) for seed in range(5)]
    assert np.mean([one.value for one in found]) == pytest.approx(wanted, abs=0.02)
    # 4 x 0.8 / 0.2 kinds of this noise have 0.8.
    assert np.mean([one.kinds_needed for one in found]) == pytest.approx(16, abs=2)


def test_what_all_words_share_in_a_kind_does_not_make_them_less_reliable() -> None:
    table = ranked(0)
    shifted = table + np.random.default_rng(1).normal(0, 9, 12)
    assert split_half_reliability(shifted, 0).value == pytest.approx(split_half_reliability(table, 0).value)


def test_noise_is_not_reliable_and_copies_are() -> None:
    noise = split_half_reliability(np.tile([[1.0, -1.0], [-1.0, 1.0], [0.5, -0.5]], 1), 0)
    assert noise.value == 0
    assert np.isnan(noise.kinds_needed)
    copies = split_half_reliability(np.repeat(ranked(0)[:, :1], 12, axis=1), 0)
    assert copies.value == pytest.approx(1)
    assert copies.kinds_needed == 1


def test_gaps_are_left_out() -> None:
    table = ranked(0)
    table[np.random.default_rng(1).random(table.shape) < 0.1] = np.nan
    assert split_half_reliability(table, 0).value == pytest.approx(0.75 * 0.97, abs=0.06)
    assert np.isnan(split_half_reliability(np.full((5, 4), np.nan), 0).value)


@pytest.mark.parametrize("shape", [(2, 12), (20, 1)])
def test_two_words_or_one_kind_have_none(shape: tuple[int, int]) -> None:
    assert np.isnan(split_half_reliability(np.random.default_rng(0).normal(size=shape), 0).value)


def test_the_number_of_kinds_is_that_of_spearman_and_brown() -> None:
    assert kinds_needed(0.8, 12) == 12
    assert kinds_needed(0.5, 10) == 40
    assert kinds_needed(1.0, 12) == 1
