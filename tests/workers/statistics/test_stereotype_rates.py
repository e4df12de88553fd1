"""GEST's stereotype rate: the mean of means with its interval, and the test that exchanges stereotypes."""

from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from workers.statistics.stereotype_rates import mean_of_means, rate_test, rate_weights

WOMEN = range(1, 8)


def test_the_interval_of_one_mean_is_students() -> None:
    scores = np.array([0.1, 0.4, -0.2, 0.5])
    found = mean_of_means([scores], [1.0])
    expected = stats.t.interval(0.95, 3, scores.mean(), stats.sem(scores))
    assert (found.low, found.high) == pytest.approx(expected)


def test_the_interval_of_a_difference_of_two_means_is_welchs() -> None:
    one, other = np.array([0.1, 0.4, -0.2, 0.5]), np.array([1.0, 1.5, 0.3, 0.2, 0.9])
    found = mean_of_means([one, other], rate_weights(1, 1))
    welch = stats.ttest_ind(other, one, equal_var=False).confidence_interval(0.95)
    assert (found.low, found.high) == pytest.approx((welch.low, welch.high))
    assert found.value == pytest.approx(other.mean() - one.mean())


def test_p_counts_all_choices_of_seven_stereotypes() -> None:
    means = {number: float(value) for number, value in enumerate(np.random.default_rng(0).normal(size=16), start=1)}
    values = np.array([*means.values()])
    drawn = [
        values[[place for place in range(16) if place not in chosen]].mean() - values[list(chosen)].mean()
        for chosen in combinations(range(16), 7)
    ]
    observed = values[7:].mean() - values[:7].mean()
    expected = np.mean(np.abs(drawn) >= abs(observed) - 1e-12)
    assert rate_test(means, WOMEN).p_value == pytest.approx(expected, abs=1e-12)
    assert len(drawn) == 11440


def test_stereotypes_that_all_point_one_way_have_the_least_p() -> None:
    found = rate_test({number: float(number > 7) for number in range(1, 17)}, WOMEN, margin=0.22)
    assert found.p_value == found.least_p == 1 / 11440
    # No spread at all: nothing can be said of how small it is.
    assert np.isnan(found.equivalence_p)


def test_means_that_hardly_differ_are_shown_to_be_within_the_margin() -> None:
    means = {number: 0.001 * (number % 3) for number in range(1, 17)}
    assert rate_test(means, WOMEN, margin=0.22).equivalence_p < 1e-6
    assert (
        rate_test({number: one + number / 20 for number, one in means.items()}, WOMEN, margin=0.22).equivalence_p > 0.5
    )
