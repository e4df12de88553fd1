"""Differences with other traits held alike: matching by hand, regression against statsmodels."""

import itertools
import math

import numpy as np
import pytest
import statsmodels.api as sm

from workers.statistics.confounders import ENTANGLED, FITTED, adjusted_difference, matched_pairs
from workers.statistics.units import Floats


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


def one_success(traits: list[list[float]], chosen: int) -> tuple[Floats, Floats, Floats]:
    """Return rates of 4 and 3 names of which one has a success, one word, and the names' traits."""
    values = np.zeros((7, 1))
    values[chosen] = 1 / 3
    return values[:4], values[4:], np.array(traits)


def test_names_that_the_regression_fits_exactly_cannot_be_tested() -> None:
    """Only one name has this trait, so the regression meets it exactly and leaves no residual to test with."""
    x, y, traits = one_success([[1], [1], [1], [1], [1], [2], [2]], chosen=4)
    found = adjusted_difference(x, y, traits, seed=0)
    for numbers in (found.value, found.low, found.high, found.p_value, found.equivalence_p, found.least_p):
        assert np.isnan(numbers).all()
    assert found.reason == (FITTED,)


def test_a_rate_that_the_trait_alone_determines_is_not_shown_to_be_alike() -> None:
    x, y, traits = one_success([[1], [1], [1], [1], [2], [1], [1]], chosen=4)
    found = adjusted_difference(x, y, traits, seed=0, margin=0.05)
    assert np.isnan([found.value[0], found.equivalence_p[0], found.low[0]]).all()
    assert found.reason == (FITTED,)


@pytest.mark.parametrize("rate", [0.0, 0.1, 1.0])
def test_names_that_all_have_one_rate_leave_nothing_to_regress(rate: float) -> None:
    traits = np.random.default_rng(0).normal(size=(10, 2))
    found = adjusted_difference(np.full((5, 1), rate), np.full((5, 1), rate), traits, seed=0, margin=0.05)
    assert np.isnan([found.value[0], found.p_value[0], found.equivalence_p[0], found.low[0]]).all()
    assert found.reason == (FITTED,)


def test_too_few_names_for_the_regression_say_so() -> None:
    values = np.random.default_rng(0).random((4, 1))
    found = adjusted_difference(values[:2], values[2:], np.array([[1.0, 0], [2, 0], [1, 1], [3, 1]]), seed=0)
    assert np.isnan(found.value).all()
    assert found.reason == (ENTANGLED,)


@pytest.mark.parametrize(
    ("sizes", "traits", "least"),
    [
        ((4, 3), [1] * 7, 1 / 35),  # the splits of 7 names into 4 and 3
        ((4, 3), [1, 2, 3, 4, 5, 6, 7], 1 / math.factorial(7)),
        ((4, 3), [1, 1, 2, 2, 1, 2, 2], 2 * 2 * 2 / math.factorial(7)),
        # Two groups with the same traits may also be exchanged.
        ((4, 4), [1] * 8, 2 / 70),
        ((10, 10), list(range(20)), 1 / 10_000),
    ],
)
def test_the_least_p_is_that_of_the_orders_of_the_names(
    sizes: tuple[int, int], traits: list[int], least: float
) -> None:
    a, b = sizes
    values = np.random.default_rng(0).random((a + b, 30)) + np.repeat([3.0, 0.0], sizes)[:, None]
    found = adjusted_difference(values[:a], values[a:], np.array(traits, dtype=np.float64)[:, None], seed=0)
    assert found.least_p == pytest.approx(least)
    assert (found.p_value >= found.least_p - 1e-12).all()


def test_of_seven_names_all_orders_are_taken() -> None:
    """By hand: all 35 splits of the names, with the same squared t where no trait differs."""
    values = np.random.default_rng(3).random((7, 1))
    found = adjusted_difference(values[:4], values[4:], np.ones((7, 1)), seed=0)
    apart = [
        abs(values[list(some), 0].mean() - np.delete(values[:, 0], list(some)).mean())
        for some in itertools.combinations(range(7), 4)
    ]
    observed = abs(values[:4, 0].mean() - values[4:, 0].mean())
    assert found.p_value[0] == pytest.approx(np.mean(np.array(apart) >= observed - 1e-9))
