"""Differences of the means of two independent sets."""

import numpy as np
import pytest
from scipy import stats

from workers.statistics.two_means import difference_of_means

RANDOM = np.random.default_rng(0)
X, Y = RANDOM.normal(0.3, 1, (5, 9)), RANDOM.normal(0, 3, (5, 20))


def test_the_interval_is_that_of_welch() -> None:
    found = difference_of_means(X, Y, level=0.9)
    for cell, (x, y) in enumerate(zip(X, Y, strict=True)):
        expected = stats.ttest_ind(x, y, equal_var=False).confidence_interval(0.9)
        assert (found.ci_low[cell], found.ci_high[cell]) == pytest.approx((expected.low, expected.high))


def test_the_equivalence_p_is_the_larger_of_two_one_sided_tests() -> None:
    found = difference_of_means(X, Y, margin=2.0)
    for cell, (x, y) in enumerate(zip(X, Y, strict=True)):
        below = stats.ttest_ind(x - 2.0, y, equal_var=False, alternative="less").pvalue
        above = stats.ttest_ind(x + 2.0, y, equal_var=False, alternative="greater").pvalue
        assert found.equivalence_p[cell] == pytest.approx(max(below, above))


def test_without_a_margin_there_is_no_equivalence_p() -> None:
    assert np.isnan(difference_of_means(X, Y).equivalence_p).all()


def test_one_value_or_equal_values_have_a_difference_and_no_interval() -> None:
    for x, y in ((X[:, :1], Y), (np.ones((5, 3)), np.zeros((5, 4)))):
        found = difference_of_means(x, y, margin=0.1)
        assert not np.isnan(found.value).any()
        assert np.isnan([found.ci_low, found.ci_high, found.equivalence_p]).all()
