"""Spreads by moments: they are those that data were drawn with, and counting alone gives none."""

import numpy as np
import pytest

from bench.simulations.moments import pattern_of, share_between, spread_of_differences, spread_of_rates


def test_rates_of_units_spread_as_they_were_drawn() -> None:
    random = np.random.default_rng(0)
    trials = random.integers(10, 30, 20_000).astype(float)
    rates = random.beta(3, 3, len(trials))  # deviation 1 / sqrt(28)
    found = spread_of_rates(random.binomial(trials.astype(int), rates).astype(float), trials)
    assert found.mean == pytest.approx(0.5, abs=0.01)
    assert found.deviation == pytest.approx(28**-0.5, abs=0.005)


def test_units_that_differ_by_counting_alone_have_next_to_no_spread() -> None:
    random = np.random.default_rng(1)
    trials = np.full(20_000, 12.0)
    sides = [(random.binomial(12, 0.4, len(trials)).astype(float), trials) for _ in range(2)]
    assert spread_of_rates(*sides[0]).deviation < 0.03
    assert spread_of_differences(*sides).deviation < 0.03


def test_a_unit_with_one_trial_is_left_out() -> None:
    found = spread_of_rates(np.array([1.0, 5.0, 6.0, 4.0]), np.array([1.0, 10.0, 10.0, 10.0]))
    assert found.mean == pytest.approx(0.5)


def test_a_difference_has_the_spread_of_its_own() -> None:
    random = np.random.default_rng(2)
    trials, apart = np.full(20_000, 40.0), random.uniform(-0.2, 0.2, 20_000)  # deviation 0.2 / sqrt(3)
    sides = [(random.binomial(40, 0.5 + half * apart).astype(float), trials) for half in (0.5, -0.5)]
    found = spread_of_differences(*sides)
    assert found.deviation == pytest.approx(0.2 / 3**0.5, abs=0.005)
    assert found.mean == pytest.approx(0, abs=0.01)


def test_the_share_between_groups_is_that_of_their_effects() -> None:
    random = np.random.default_rng(3)
    groups = np.repeat(np.arange(2000), 5)
    values = random.normal(size=2000)[groups] + 2 * random.normal(size=len(groups))
    assert share_between(values, groups) == pytest.approx(0.2, abs=0.03)
    assert share_between(random.normal(size=len(groups)), groups) < 0.02


def test_a_pattern_is_what_rows_share_without_the_noise_of_few_rows() -> None:
    random = np.random.default_rng(4)
    shared = random.normal(size=400)
    found = pattern_of(0.5 * shared + random.normal(size=(12, 400)) + random.normal(size=(12, 1)))
    assert found.ratio == pytest.approx(0.5, abs=0.05)
    assert np.corrcoef(found.shared, shared)[0, 1] > 0.8
