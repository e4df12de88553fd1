"""Permutation tests of many words between groups of names: held against full enumeration by hand."""

import itertools
import warnings

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workers.statistics.permutation_tests.two_group_rates import permute_names

Floats = npt.NDArray[np.float64]


def enumerated(x: Floats, y: Floats) -> Floats:
    """|d| of every split of the names, the observed one first, [splits, words]; NaN if a side has no value."""
    values = np.concatenate([x, y])
    found = []
    for places in itertools.combinations(range(len(values)), len(x)):
        inside = np.isin(np.arange(len(values)), places)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            found.append(np.abs(np.nanmean(values[inside], axis=0) - np.nanmean(values[~inside], axis=0)))
    return np.array(found)


@given(st.integers(2, 4), st.integers(2, 5), st.integers(0, 1000), st.booleans())
@settings(max_examples=25, deadline=None)
def test_few_splits_are_enumerated_with_ties_and_with_names_that_lack_a_word(
    n: int, m: int, seed: int, gaps: bool
) -> None:
    generator = np.random.default_rng(seed)
    x, y = (generator.integers(0, 5, (size, 6)) / 4 for size in (n, m))
    if gaps:
        x[0, :3], y[-1, 1:4] = np.nan, np.nan
    splits = enumerated(x, y)
    counted = (~np.isnan(splits)).sum(axis=0)
    found = permute_names([(x, y)], seed=0, threads=1)[0]
    assert found.exact
    assert found.splits == len(splits)
    assert found.p_value == pytest.approx((splits >= splits[0] - 1e-9).sum(axis=0) / counted)
    assert found.strict == pytest.approx((splits > splits[0] + 1e-9).sum(axis=0) / counted)


def test_the_familywise_p_is_that_of_the_largest_standardised_difference() -> None:
    generator = np.random.default_rng(3)
    x, y = generator.random((4, 5)) + 0.4 * np.eye(5)[0], generator.random((4, 5))
    standardised = enumerated(x, y) / np.concatenate([x, y]).std(axis=0)
    largest = standardised.max(axis=1)
    expected = [(largest >= one - 1e-6).mean() for one in standardised[0]]
    assert permute_names([(x, y)], seed=0)[0].familywise_p_value == pytest.approx(expected)


def test_random_splits_come_near_to_the_enumeration_and_count_the_observed_one() -> None:
    generator = np.random.default_rng(1)
    x, y = generator.random((6, 40)), generator.random((6, 40))
    exact, drawn = (permute_names([(x, y)], seed=0, draws=draws)[0] for draws in (924, 900))
    assert exact.exact
    assert not drawn.exact
    assert np.abs(exact.p_value - drawn.p_value).max() < 0.07
    assert drawn.p_value * 901 == pytest.approx(np.round(drawn.p_value * 901))


def test_words_that_separate_two_groups_have_the_smallest_possible_p() -> None:
    x, y = np.linspace(0.8, 0.9, 25)[:, None], np.linspace(0.1, 0.2, 25)[:, None]
    found = permute_names([(x, y)], seed=0, draws=999)[0]
    assert found.p_value == pytest.approx(1 / 1000)
    assert found.strict == 0


def test_equal_rates_are_no_evidence_and_a_word_that_a_group_lacks_has_no_test() -> None:
    x, y = np.column_stack([np.full(4, 0.1), np.full(4, np.nan)]), np.column_stack([np.full(4, 0.1), np.ones(4)])
    found = permute_names([(x, y)], seed=0)[0]
    assert found.p_value[0] == 1
    assert np.isnan([found.p_value[1], found.familywise_p_value[1], found.strict[1]]).all()


def test_neither_threads_nor_other_pairs_change_a_p_value() -> None:
    generator = np.random.default_rng(2)
    pairs = [(generator.random((n, 600)), generator.random((m, 600))) for n, m in ((9, 9), (9, 9), (7, 12))]
    together = permute_names(pairs, seed=5, draws=2000, threads=2)
    for pair, one in zip(pairs, together, strict=True):
        alone = permute_names([pair], seed=5, draws=2000, threads=1)[0]
        assert (alone.p_value == one.p_value).all()
        assert (alone.familywise_p_value == one.familywise_p_value).all()


def test_another_seed_draws_other_splits() -> None:
    pair = (np.random.default_rng(0).random((12, 30)), np.random.default_rng(1).random((12, 30)))
    one, other = (permute_names([pair], seed=seed, draws=500)[0].p_value for seed in (0, 1))
    assert (one != other).any()


def test_a_group_without_names_is_refused() -> None:
    with pytest.raises(ValueError, match="a name each"):
        permute_names([(np.zeros((0, 2)), np.zeros((3, 2)))], seed=0)


@pytest.mark.parametrize("rate", [0.01, 0.2])
def test_a_true_null_is_rejected_no_more_often_than_it_says(rate: float) -> None:
    """Names differ in their rates and were asked unequally often, as with generated answers."""
    generator = np.random.default_rng(0)
    shown = generator.poisson(30, (24, 2000)).clip(1)
    rates = generator.binomial(shown, generator.beta(rate * 20, (1 - rate) * 20, shown.shape)) / shown
    (found,) = permute_names([(rates[:12], rates[12:])], seed=0, draws=999)
    assert (found.p_value <= 0.05).mean() <= 0.06
