"""Differences of rates of the same units, and their changes, against cases worked by hand."""

import numpy as np
import pytest
from scipy import stats

from workers.statistics.rates.rate_contrasts import rate_contrast

ONE = np.linspace(0.2, 0.9, 20)


def test_a_difference_is_that_of_the_paired_means_and_changes_its_sign_with_the_groups() -> None:
    other = ONE - 0.1 * (np.arange(20) % 3)
    found, turned = (rate_contrast(np.stack(pair), (1, -1), margin=0.05) for pair in ((ONE, other), (other, ONE)))
    assert found.value == pytest.approx(np.mean(ONE - other)) == pytest.approx(0.095)
    assert (turned.value, turned.low, turned.high) == pytest.approx((-found.value, -found.high, -found.low))
    assert found.p_value == pytest.approx(turned.p_value)
    plain = stats.ttest_rel(ONE, other)
    assert found.low == pytest.approx(plain.confidence_interval()[0], abs=0.003)


def test_the_change_of_a_difference_is_that_of_four_rates() -> None:
    before, after = np.stack([ONE, ONE - 0.1 * (np.arange(20) % 2)]), np.stack([ONE, ONE - 0.2])
    found = rate_contrast(np.concatenate([after, before]), (1, -1, -1, 1), margin=0.05)
    assert found.value == pytest.approx(0.2 - 0.05)
    assert found.low < 0.15 < found.high


def test_few_units_with_a_contrast_show_nothing() -> None:
    a = np.zeros(24)
    a[:4] = 1.0
    found = rate_contrast(np.stack([a, np.zeros(24)]), (1, -1), margin=0.05)
    limit = stats.beta.ppf(0.95, 5, 20)
    assert (found.value, found.low, found.high, found.p_value) == pytest.approx((4 / 24, -limit, limit, 1.0))
    none = rate_contrast(np.zeros((2, 24)), (1, -1), margin=0.05)
    assert (none.high, none.equivalence_p) == pytest.approx((1 - 0.05 ** (1 / 24), 0.95**24))


def test_units_that_all_agree_have_exact_limits_and_a_small_p() -> None:
    found = rate_contrast(np.stack([np.ones(24), np.zeros(24)]), (1, -1), margin=0.05)
    assert (found.value, found.high, found.p_value, found.equivalence_p) == (1.0, 1.0, 2.0**-23, 1.0)
    assert found.low == pytest.approx(2 * 0.025 ** (1 / 24) - 1)


def test_no_limit_is_beyond_what_rates_can_differ() -> None:
    a = np.ones(20)
    a[0] = 0.0
    found = rate_contrast(np.stack([a, np.zeros(20)]), (1, -1))
    assert -1 <= found.low < found.value < found.high <= 1


def test_one_unit_has_no_interval() -> None:
    found = rate_contrast(np.array([[0.5], [0.25]]), (1, -1))
    assert found.value == 0.25
    assert np.isnan([found.low, found.p_value]).all()
