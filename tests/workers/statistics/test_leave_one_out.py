"""Means without one unit."""

import numpy as np

from workers.statistics.leave_one_out import leave_one_out


def test_the_range_is_that_of_all_means_but_one() -> None:
    values = np.random.default_rng(0).normal(size=(3, 6))
    without = np.stack([np.delete(values, unit, axis=1).mean(axis=1) for unit in range(6)])
    low, high = leave_one_out(values)
    np.testing.assert_allclose(low, without.min(axis=0))
    np.testing.assert_allclose(high, without.max(axis=0))


def test_units_without_a_value_take_no_part_and_one_unit_has_no_range() -> None:
    low, high = leave_one_out(np.array([[1.0, np.nan, 5.0], [2.0, np.nan, np.nan]]))
    assert (low[0], high[0]) == (1, 5)
    assert np.isnan([low[1], high[1]]).all()
