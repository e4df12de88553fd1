"""Differences with other traits held alike: matching by hand, regression against statsmodels."""

import numpy as np
import pytest
import statsmodels.api as sm

from workers.statistics.confounders import adjusted_difference, matched_pairs


def test_pairs_are_equal_in_the_one_trait_and_near_in_the_other() -> None:
    counts = (np.array([1.0, 1, 2, 3]), np.array([2.0, 1, 1]))
    near = (np.array([0.0, 5.0, 1.0, 0.0]), np.array([1.1, 4.9, 9.0]))
    a, b = matched_pairs(counts, near)
    assert list(zip(a.tolist(), b.tolist(), strict=True)) == [(1, 1), (2, 0)]


def test_as_many_pairs_as_can_be_come_before_near_ones() -> None:
    a, b = matched_pairs((np.ones(2), np.ones(2)))
    assert len(a) == len(b) == 2
    a, _ = matched_pairs((np.ones(2), np.full(3, 2.0)))
    assert not len(a)


def test_the_adjusted_difference_is_that_of_a_regression() -> None:
    generator = np.random.default_rng(0)
    x, y, traits = generator.normal(0.3, 1, (15, 4)), generator.normal(0, 1, (20, 4)), generator.normal(size=(35, 2))
    x[3, 1] = np.nan
    found = adjusted_difference(x, y, traits, seed=0)
    design = sm.add_constant(np.column_stack([np.repeat([1.0, 0.0], [15, 20]), traits]))
    for word, values in enumerate(np.concatenate([x, y]).T):
        fitted = sm.OLS(values, design, missing="drop").fit()
        assert [found.value[word], found.low[word], found.high[word]] == pytest.approx(
            [fitted.params[1], *fitted.conf_int()[1]]
        )
        assert found.p_value[word] == pytest.approx(fitted.pvalues[1], abs=0.03)
        assert found.names[word] == np.count_nonzero(~np.isnan(values))


def test_a_difference_that_is_all_of_the_trait_vanishes() -> None:
    generator = np.random.default_rng(1)
    trait = np.concatenate([generator.normal(0, 1, 20), generator.normal(2, 1, 20)])
    values = (trait + generator.normal(0, 0.1, 40))[:, None]
    found = adjusted_difference(values[:20], values[20:], trait[:, None], seed=0, draws=999)
    assert abs(values[:20].mean() - values[20:].mean()) > 1
    assert abs(found.value[0]) < 0.2


def test_a_trait_that_determines_the_group_leaves_nothing_to_compare() -> None:
    values = np.random.default_rng(0).random((8, 2))
    found = adjusted_difference(values[:4], values[4:], np.repeat([1.0, 2.0], 4)[:, None], seed=0, draws=99)
    assert np.isnan(found.value).all()


def test_a_trait_that_all_share_changes_nothing() -> None:
    values = np.random.default_rng(0).random((8, 2))
    found = adjusted_difference(values[:4], values[4:], np.ones((8, 1)), seed=0, draws=99)
    assert found.value == pytest.approx(values[:4].mean(axis=0) - values[4:].mean(axis=0))


def test_a_word_that_no_name_has_stays_undefined_and_the_others_do_not() -> None:
    values = np.random.default_rng(0).random((8, 2))
    values[:, 1] = np.nan
    found = adjusted_difference(values[:4], values[4:], np.ones((8, 1)), seed=0, draws=99)
    assert found.value[0] == pytest.approx(values[:4, 0].mean() - values[4:, 0].mean())
    assert np.isnan(found.value[1])
    assert found.names.tolist() == [8, 0]
