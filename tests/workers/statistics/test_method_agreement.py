"""Kendall's tau of two methods: worked by hand, against scipy, and a planted tau that the interval covers."""

import numpy as np
import pytest
from scipy import stats

from workers.statistics.method_agreement import FEWEST_FAMILIES, RankAgreement, rank_agreement
from workers.statistics.units import Floats, Positions


def of_differences(x: Floats, y: Floats, families: Positions | None = None, resamples: int = 2000) -> RankAgreement:
    """Two groups whose scores differ by x with one method and by y with the other."""
    left, right = (np.column_stack([one, np.zeros(len(one))]) for one in (x, y))
    units = np.arange(len(x)) if families is None else families
    return rank_agreement(left, right, units, seed=0, resamples=resamples, margin=0.1)


def test_one_exchanged_pair_of_eleven_words() -> None:
    x = np.arange(11.0)
    y = x.copy()
    y[[3, 4]] = y[[4, 3]]
    found = of_differences(x, y)
    assert found.tau == pytest.approx((54 - 1) / 55)
    assert (found.words, found.families) == (11, 11)
    assert found.low < found.tau <= found.high <= 1
    assert found.p_value < 1e-6


def test_a_tie_leaves_its_pair_out_of_one_side() -> None:
    x, y = np.arange(10.0), np.array([0.0, 0, 2, 3, 4, 5, 6, 7, 8, 9])
    assert of_differences(x, y).tau == pytest.approx(44 / np.sqrt(45 * 44)) == pytest.approx(stats.kendalltau(x, y)[0])


def test_what_a_word_has_with_all_groups_and_a_group_with_all_words_drops_out() -> None:
    random = np.random.default_rng(1)
    x, y = random.normal(size=(2, 12, 3))
    plain = rank_agreement(x, y, np.arange(12), seed=0, margin=0.1)
    shifted = x + 9 * random.normal(size=(12, 1)) + 5 * random.normal(size=(1, 3))
    assert rank_agreement(shifted, y, np.arange(12), seed=0, margin=0.1).tau == pytest.approx(plain.tau)
    centred = [one - one.mean(axis=1, keepdims=True) for one in (x, y)]
    of_groups = [stats.kendalltau(centred[0][:, at], centred[1][:, at])[0] for at in range(3)]
    assert plain.tau == pytest.approx(np.mean(of_groups))


def test_words_of_one_family_are_one_observation() -> None:
    random = np.random.default_rng(2)
    x = random.normal(size=15)
    y = x + random.normal(size=15)
    apart = of_differences(x, y)
    copies = of_differences(np.repeat(x, 4), np.repeat(y, 4), np.repeat(np.arange(15), 4))
    assert copies.tau == pytest.approx(apart.tau)
    assert copies.low == pytest.approx(apart.low)
    assert (copies.families, copies.words) == (15, 60)


def test_too_few_families_give_no_correlation() -> None:
    x = np.arange(float(FEWEST_FAMILIES))
    assert not np.isnan(of_differences(x, x**2 - 3 * x).tau)
    assert np.isnan(of_differences(x[1:], x[1:]).tau)
    assert np.isnan(of_differences(np.arange(40.0), np.arange(40.0), np.repeat(np.arange(8), 5)).tau)


def test_the_same_order_has_a_tau_and_no_interval() -> None:
    found = of_differences(np.arange(12.0), np.arange(12.0) ** 3)
    assert found.tau == 1
    assert np.isnan([found.low, found.high, found.p_value]).all()


def test_a_constant_side_has_no_tau() -> None:
    assert np.isnan(of_differences(np.arange(12.0), np.ones(12)).tau)


def test_one_group_is_refused() -> None:
    with pytest.raises(ValueError, match="two groups"):
        rank_agreement(np.ones((12, 1)), np.ones((12, 1)), np.arange(12), seed=0, margin=0.1)


@pytest.mark.parametrize(("tau", "words"), [(0.0, 20), (0.5, 30)])
def test_the_interval_covers_a_planted_tau(tau: float, words: int) -> None:
    random, rho, size = np.random.default_rng(3), np.sin(np.pi * tau / 2), 300
    covered = rejected = 0
    for _ in range(size):
        x, noise = random.normal(size=(2, words))
        found = of_differences(x, rho * x + np.sqrt(1 - rho**2) * noise, resamples=300)
        covered += found.low <= tau <= found.high
        rejected += found.p_value < 0.05
    assert 0.93 <= covered / size <= 0.995  # 0.95 less 1.6 standard errors; small samples are conservative
    assert rejected / size > 0.9 if tau else rejected / size <= 0.07
