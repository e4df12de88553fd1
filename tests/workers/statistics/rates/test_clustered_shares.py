"""Shares of pairs in families: Wilson's interval at the effective number of pairs, by hand and against statsmodels."""

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from workers.statistics.rates.clustered_shares import design_effect, share_estimate

SEVEN_OF_TEN = np.array([1.0] * 7 + [0.0] * 3)


def test_single_pairs_have_wilsons_interval() -> None:
    found = share_estimate(SEVEN_OF_TEN, range(10))
    assert (found.low, found.high) == pytest.approx(proportion_confint(7, 10, method="wilson"), abs=1e-12)
    assert (found.value, found.n, found.n_families) == (0.7, 10, 10)


def test_pairs_that_always_agree_with_their_twin_count_once() -> None:
    twice = share_estimate(np.repeat(SEVEN_OF_TEN, 2), np.repeat(range(10), 2))
    once = share_estimate(SEVEN_OF_TEN, range(10))
    assert (twice.low, twice.high) == pytest.approx((once.low, once.high), abs=1e-12)
    assert twice.p_value == pytest.approx(once.p_value)
    assert twice.n_families == 10


def test_twins_that_disagree_do_not_make_the_interval_narrower() -> None:
    assert design_effect(np.array([1.0, 0.0] * 5), np.repeat(range(5), 2)) == 1.0


def test_where_all_pairs_agree_the_families_are_what_is_counted() -> None:
    found = share_estimate(np.ones(12), np.repeat(range(4), 3))
    assert (found.low, found.high) == pytest.approx(proportion_confint(4, 4, method="wilson"), abs=1e-12)


def test_a_tie_is_half_a_pair() -> None:
    assert share_estimate(np.array([1.0, 0.5, 0.0, 0.5]), range(4)).value == 0.5


@pytest.mark.parametrize("wins", range(25))
def test_the_test_of_single_pairs_is_the_exact_one(wins: int) -> None:
    found = share_estimate(np.array([1.0] * wins + [0.0] * (24 - wins)), range(24), margin=0.05)
    assert found.p_value == pytest.approx(stats.binomtest(wins, 24).pvalue)
    above = stats.binomtest(wins, 24, 0.45, "greater").pvalue
    below = stats.binomtest(wins, 24, 0.55, "less").pvalue
    assert found.equivalence_p == pytest.approx(max(above, below))
    if found.p_value < 0.05:
        assert not found.low <= 0.5 <= found.high


@pytest.mark.parametrize("n", [6, 24, 36, 60])
def test_no_more_than_a_twentieth_of_true_nulls_is_rejected(n: int) -> None:
    p_values = [share_estimate(np.array([1.0] * wins + [0.0] * (n - wins)), range(n)).p_value for wins in range(n + 1)]
    chances = stats.binom.pmf(range(n + 1), n, 0.5)
    assert sum(chance for p, chance in zip(p_values, chances, strict=True) if p < 0.05) <= 0.05
    assert share_estimate(np.ones(n), range(n)).least_p == pytest.approx(2 * 0.5**n)


def test_many_pairs_near_one_half_are_shown_to_be_near_it() -> None:
    near = np.array([1.0, 0.0] * 2000)
    assert share_estimate(near, range(4000), margin=0.05).equivalence_p < 1e-6
    assert share_estimate(near[:40], range(40), margin=0.05).equivalence_p > 0.2
