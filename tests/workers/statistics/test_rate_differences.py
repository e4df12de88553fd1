"""Differences of two rates over the same units."""

import itertools

import numpy as np
import pytest

from workers.statistics import Blocks, sign_flip
from workers.statistics.rate_differences import mean_over_strata, rate_differences
from workers.statistics.resampling import Resampling

RESAMPLING = Resampling(seed=3, resamples=400, permutations=999)


def one(sums: list[float], counts: list[float]) -> Blocks:
    return Blocks(np.array([sums], dtype=np.float64), np.array([counts], dtype=np.float64))


def test_the_difference_is_that_of_the_pooled_rates() -> None:
    found = rate_differences(one([3, 1], [4, 4]), one([2, 2], [2, 4]), RESAMPLING)[0]
    assert found.value == pytest.approx(4 / 8 - 4 / 6)
    assert (found.n, found.n_units) == (14, 2)


def test_units_without_an_item_are_no_units_of_the_cell() -> None:
    found = rate_differences(one([3, 0, 1], [4, 0, 4]), one([2, 0, 2], [2, 0, 4]), RESAMPLING)[0]
    assert found == rate_differences(one([3, 1], [4, 4]), one([2, 2], [2, 4]), RESAMPLING)[0]


def test_the_swaps_are_enumerated_worked_by_a_loop() -> None:
    generator = np.random.default_rng(1)
    sizes = generator.integers(2, 6, (2, 6))
    right = generator.binomial(sizes, 0.6)
    observed = abs(right[0].sum() / sizes[0].sum() - right[1].sum() / sizes[1].sum())
    as_large = 0
    for swaps in itertools.product([0, 1], repeat=6):
        first = [(right[s, t], sizes[s, t]) for t, s in enumerate(swaps)]
        second = [(right[1 - s, t], sizes[1 - s, t]) for t, s in enumerate(swaps)]
        rates = [sum(r for r, _ in side) / sum(n for _, n in side) for side in (first, second)]
        as_large += abs(rates[0] - rates[1]) >= observed - 1e-9
    aligned, others = (one(right[side].tolist(), sizes[side].tolist()) for side in (0, 1))
    found = rate_differences(aligned, others, RESAMPLING)[0]
    assert found.p_value == pytest.approx(as_large / 2**6)


def test_with_equal_sizes_swaps_are_sign_flips_of_the_differences() -> None:
    generator = np.random.default_rng(2)
    first, second = generator.binomial(8, 0.7, 20).tolist(), generator.binomial(8, 0.5, 20).tolist()
    found = rate_differences(one(first, [8] * 20), one(second, [8] * 20), RESAMPLING)[0]
    flipped = sign_flip(one((np.array(first) - second).tolist(), [8] * 20), seed=3, draws=999)
    assert found.p_value == pytest.approx(flipped.p_value[0])
    assert found.ci_low < found.value < found.ci_high


def test_one_unit_has_a_value_and_no_interval_and_nothing_to_compare_has_none() -> None:
    single = rate_differences(one([1], [2]), one([2], [2]), RESAMPLING)[0]
    assert single.value == pytest.approx(-0.5)
    assert np.isnan([single.ci_low, single.p_value]).all()
    assert np.isnan(rate_differences(one([1, 2], [2, 2]), one([0, 0], [0, 0]), RESAMPLING)[0].value)


def test_the_mean_over_strata_weighs_each_alike_and_draws_each_by_itself() -> None:
    strata = [(one([8, 0, 0] * 3, [8, 8, 8] * 3),), (one([2, 2, 2] * 3, [2, 2, 2] * 3),)]
    found = mean_over_strata(strata, RESAMPLING)
    assert found.value == pytest.approx((1 / 3 + 1) / 2)
    assert found.n_units == 18
    alone = mean_over_strata(strata[:1], RESAMPLING)
    # The second varies not at all, so that the mean of both varies half as much.
    assert found.ci_high - found.ci_low == pytest.approx((alone.ci_high - alone.ci_low) / 2, rel=0.25)


def test_equal_strata_do_not_draw_alike() -> None:
    same = one([8, 0, 4] * 5, [8, 8, 8] * 5)
    alone, both = (mean_over_strata([(same,)] * times, RESAMPLING) for times in (1, 2))
    assert both.value == pytest.approx(alone.value)
    assert both.ci_high - both.ci_low < 0.85 * (alone.ci_high - alone.ci_low)


def test_strata_of_two_rates_give_the_mean_of_their_differences() -> None:
    strata = [(one([3, 3], [4, 4]), one([4, 4], [4, 4])), (one([1, 1], [4, 4]), one([1, 1], [4, 4]))]
    assert mean_over_strata(strata, RESAMPLING).value == pytest.approx((-0.25 + 0) / 2)
