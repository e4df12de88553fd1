"""The change of a rate between two runs: figures worked by hand, and changes that few units carry."""

import numpy as np
import pytest
from scipy import stats

from workers.statistics.rate_changes import UnitSums, rate_change

ONES = np.ones(40)


def test_a_share_of_single_pairs_changes_as_the_paired_t_test_says() -> None:
    before = np.array([1.0] * 20 + [0.0] * 20)
    after = np.array([1.0] * 10 + [0.0] * 20 + [1.0] * 10)
    found = rate_change(UnitSums(before, ONES), UnitSums(after, ONES))
    expected = stats.ttest_1samp(after - before, 0.0)
    assert found.value == 0.0
    assert (found.low, found.high) == pytest.approx(tuple(expected.confidence_interval(0.95)))
    assert found.p_value == pytest.approx(1.0)


def test_what_both_runs_share_cancels() -> None:
    before = np.tile([1.0, 0.0], 20)
    after = before.copy()
    after[:12:2] = 0.0
    found = rate_change(UnitSums(before, ONES), UnitSums(after, ONES))
    unpaired = stats.ttest_ind(after, before)
    assert found.value == pytest.approx(-0.15)
    assert found.p_value < 0.02 < unpaired.pvalue


def test_the_sizes_may_change_too() -> None:
    """Of the later run fewer answers name a person, as in BBQ's score of disambiguated contexts."""
    before = UnitSums(np.full(30, 2.0), np.full(30, 4.0))
    after = UnitSums(np.tile([2.0, 1.0, 0.0], 10), np.tile([2.0, 4.0, 3.0], 10))
    found = rate_change(before, after, largest=2.0)
    assert found.value == pytest.approx(30 / 90 - 0.5)
    assert found.low < found.value < found.high


@pytest.mark.parametrize(("largest", "scale"), [(1.0, 1.0), (2.0, 2.0)])
def test_a_change_of_few_units_has_the_limits_of_their_share(largest: float, scale: float) -> None:
    after = np.zeros(40)
    after[:2] = scale
    found = rate_change(UnitSums(np.zeros(40), ONES), UnitSums(after, ONES), largest=largest, margin=0.05 * scale)
    limit = scale * stats.beta.ppf(0.95, 3, 38)
    assert (found.low, found.high, found.p_value) == pytest.approx((-limit, limit, 1.0))
    assert found.equivalence_p > 0.05


def test_the_same_answers_of_many_units_are_shown_not_to_change() -> None:
    same = UnitSums(np.tile([1.0, 0.0], 30), np.ones(60))
    found = rate_change(same, same, margin=0.05)
    assert (found.value, found.p_value) == (0.0, 1.0)
    assert found.equivalence_p == pytest.approx(0.95**60)


def test_without_an_answer_there_is_no_change() -> None:
    nothing = UnitSums(np.zeros(3), np.zeros(3))
    assert np.isnan(rate_change(nothing, nothing).value)
