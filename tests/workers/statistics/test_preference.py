"""Shares above zero, medians and superiority: worked by hand, and what must hold for any values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.statistics.preference import median, share_above_zero, superiority

QUICK = {"seed": 0, "draws": 99, "resamples": 200, "level": 0.95}
values = st.lists(st.integers(-20, 20).map(lambda number: number / 4), min_size=2, max_size=6).map(np.array)


def test_the_share_above_zero_by_hand() -> None:
    told = share_above_zero(np.array([0.2, 0.1, 3.0, -1.0]), 0.95)
    z = 1.959964
    middle, half = (3 + z**2 / 2) / (4 + z**2), z * np.sqrt(3 * 1 / 4 + z**2 / 4) / (4 + z**2)
    assert told.value == 0.75
    assert (told.ci_low, told.ci_high) == pytest.approx((middle - half, middle + half))
    assert told.p_value == pytest.approx(10 / 16)  # at most one or at least three of four tosses


def test_a_value_of_zero_is_in_the_share_and_not_in_the_test() -> None:
    told = share_above_zero(np.array([1.0, 1.0, 0.0]), 0.95)
    assert told.value == pytest.approx(2 / 3)
    assert told.p_value == pytest.approx(1 / 2)
    assert np.isnan(share_above_zero(np.zeros(3), 0.95).p_value)


def test_the_interval_of_a_median_lies_between_two_values() -> None:
    told = median(np.arange(1.0, 13.0), 0.95)
    # P(at most 2 of 12 below the median) = 0.019: the third from either end.
    assert (told.value, told.ci_low, told.ci_high) == (6.5, 3.0, 10.0)
    assert told.p_value == pytest.approx(2**-11)
    assert np.isnan(median(np.array([1.0, 2.0]), 0.95).ci_low)


def test_superiority_by_hand() -> None:
    told = superiority(np.array([3.0, 1.0]), np.array([2.0, 1.0, 0.0]), **QUICK)  # type: ignore[arg-type]
    assert told.value == pytest.approx((3 + 1.5) / 6)
    # Midranks 5 and 2.5 against 4, 2.5, 1: of all ten pairs of ranks, those as far from their mean sum 6 as 7.5 is.
    ranks = [5, 2.5, 4, 2.5, 1]
    pairs = [one + other for index, one in enumerate(ranks) for other in ranks[index + 1 :]]
    assert told.p_value == pytest.approx(sum(abs(total - 6) >= 1.5 for total in pairs) / 10)


@given(values, values, st.integers(-8, 8))
def test_a_shift_of_both_sets_changes_nothing_and_turning_them_round_mirrors(
    x: np.ndarray[tuple[int], np.dtype[np.float64]], y: np.ndarray[tuple[int], np.dtype[np.float64]], shift: int
) -> None:
    told = superiority(x, y, **QUICK)  # type: ignore[arg-type]
    assert superiority(x + shift, y + shift, **QUICK) == told  # type: ignore[arg-type]
    assert superiority(y, x, **QUICK).value == pytest.approx(1 - told.value)  # type: ignore[arg-type]
    assert 0 <= told.ci_low <= told.ci_high <= 1
    assert 0 < told.p_value <= 1


@given(values)
def test_shares_of_both_targets_and_ties_make_one(x: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    one, other = share_above_zero(x, 0.95), share_above_zero(-x, 0.95)
    assert one.value + other.value + np.mean(x == 0) == pytest.approx(1)
    assert one.ci_low - 1e-12 <= one.value <= one.ci_high + 1e-12
    assert one.p_value == other.p_value or np.isnan(one.p_value)
