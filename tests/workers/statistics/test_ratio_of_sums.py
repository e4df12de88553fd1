"""The ratio of two sums: figures worked by hand, and the cases without an interval."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from workers.statistics.ratio_of_sums import ratio_of_sums


def test_units_of_one_size_that_lean_to_no_side_give_the_one_sample_t_test() -> None:
    values = np.array([0.03, -0.07, 0.33, 0.23, 0.13])
    found, expected = ratio_of_sums(values, np.ones(5)), stats.ttest_1samp(values, 0.0)
    assert found.value == pytest.approx(0.13)
    assert found.p_value == pytest.approx(expected.pvalue)
    assert (found.low, found.high) == pytest.approx(tuple(expected.confidence_interval(0.95)))


def test_larger_units_weigh_more() -> None:
    found = ratio_of_sums(np.array([1.0, 9.0]), np.array([1.0, 3.0]))
    assert found.value == 2.5
    # Without one of the units the ratio is 3 or 1: the jackknife's error is 1.
    assert found.high - found.value == pytest.approx(stats.t.isf(0.025, 1))


def test_a_few_large_units_stretch_the_interval_to_their_side() -> None:
    found = ratio_of_sums(np.array([0.0, 0.1, -0.1, 0.05, -0.05, 0.0, 0.1, 3.0]), np.ones(8))
    assert found.high - found.value > 1.5 * (found.value - found.low)


def test_without_variation_there_is_no_interval_and_no_test() -> None:
    for values in ([2.0, 4.0], [2.0], []):
        found = ratio_of_sums(np.array(values), np.arange(1.0, len(values) + 1))
        assert np.isnan([found.low, found.p_value, found.equivalence_p]).all()


def test_a_small_change_is_shown_to_be_small_with_many_units() -> None:
    values = np.random.default_rng(0).normal(0.001, 0.01, 400)
    found = ratio_of_sums(values, np.ones(400), margin=0.02)
    assert found.equivalence_p < 0.001
    assert ratio_of_sums(values[:4], np.ones(4), margin=0.0001).equivalence_p > 0.05


@given(st.lists(st.tuples(st.floats(-10, 10), st.integers(1, 50)), min_size=3, max_size=20))
def test_the_order_of_units_changes_nothing(units: list[tuple[float, int]]) -> None:
    values, sizes = (np.array(column, dtype=float) for column in zip(*units, strict=True))
    one, other = ratio_of_sums(values, sizes), ratio_of_sums(values[::-1], sizes[::-1])
    assert other.value == pytest.approx(one.value, abs=1e-9)
    assert other.high == pytest.approx(one.high, abs=1e-6, nan_ok=True)
