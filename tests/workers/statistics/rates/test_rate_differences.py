"""Differences of two rates over the same units."""

import itertools

import numpy as np
import pytest

from workers.statistics import Blocks, sign_flip
from workers.statistics.rates.rate_differences import mean_over_strata, rate_differences
from workers.statistics.resampling import Resampling

RESAMPLING = Resampling(seed=3, resamples=400, permutations=999)


def one(sums: list[float], counts: list[float]) -> Blocks:
    return Blocks(np.array([sums], dtype=np.float64), np.array([counts], dtype=np.float64))


def test_the_difference_is_that_of_the_pooled_rates() -> None:
    found = rate_differences(one([3, 1], [4, 4]), one([2, 2], [2, 4]), RESAMPLING)[0]
    assert found.value == pytest.approx(4 / 8 - 4 / 6)
    assert (found.n, found.n_units) == (14, 2)


def test_units_without_an_item_are_no_units_of_the_cell() -> None:
    found = rate_differences(one([3, 0, 1], [4, 0, 4]), one([2, 0, 2], [2, 0, 4]), RESAMPLING, 0.05)[0]
    assert found == rate_differences(one([3, 1], [4, 4]), one([2, 2], [2, 4]), RESAMPLING, 0.05)[0]


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
    first, second = generator.binomial(8, 0.7, 12).tolist(), generator.binomial(8, 0.5, 12).tolist()
    found = rate_differences(one(first, [8] * 12), one(second, [8] * 12), RESAMPLING)[0]
    flipped = sign_flip(one((np.array(first) - second).tolist(), [8] * 12), seed=3)
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


def test_the_smallest_p_is_that_of_all_units_alike() -> None:
    found = rate_differences(one([8] * 10, [8] * 10), one([2] * 10, [8] * 10), RESAMPLING)[0]
    assert found.p_value == found.least_p == 2.0**-9
    many = rate_differences(one([8] * 40, [8] * 40), one([2] * 40, [8] * 40), RESAMPLING)[0]
    assert many.p_value == many.least_p == 1 / 1000


def test_without_a_wrong_answer_a_difference_has_the_limits_of_few_events() -> None:
    perfect = one([8] * 25, [8] * 25)
    found = rate_differences(perfect, perfect, RESAMPLING, 0.05)[0]
    limit = 1 - 0.05 ** (1 / 25)
    assert (found.value, found.ci_low, found.ci_high) == pytest.approx((0, -limit, limit))
    assert (found.p_value, found.equivalence_p) == pytest.approx((1, 0.95**25))


def test_a_difference_is_shown_to_be_small_where_many_answers_say_so() -> None:
    generator = np.random.default_rng(4)
    near, far = (
        rate_differences(
            one(generator.binomial(200, 0.9, 25).tolist(), [200] * 25),
            one(generator.binomial(200, 0.9 - apart, 25).tolist(), [200] * 25),
            RESAMPLING,
            0.05,
        )[0]
        for apart in (0.0, 0.06)
    )
    assert near.equivalence_p < 0.01 < 0.5 < far.equivalence_p


def test_the_mean_of_scores_is_tested_by_flips_within_strata() -> None:
    strata = [(one([4] * 8, [8] * 8),), (one([2] * 8, [8] * 8),)]
    found = mean_over_strata(strata, RESAMPLING, 0.05)
    assert found.p_value == found.least_p == 1 / 1000
    assert found.equivalence_p > 0.99
    assert np.isnan(mean_over_strata(strata, RESAMPLING).p_value)


def test_a_mean_over_perfect_strata_counts_the_smallest_for_each() -> None:
    strata = [(one([0] * units, [8] * units),) for units in (8, 60)]
    assert mean_over_strata(strata, RESAMPLING, 0.05).equivalence_p == pytest.approx(0.95**16)
