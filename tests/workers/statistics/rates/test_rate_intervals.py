"""Intervals of rates: those with next to no errors, and their coverage where errors are rare."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.statistics.intervals import bootstrap_interval
from workers.statistics.rates.bias_scores import score_tests
from workers.statistics.rates.rate_differences import mean_over_strata
from workers.statistics.rates.rate_intervals import exact_limits, rate_interval
from workers.statistics.resampling import Resampling
from workers.statistics.units import Blocks, Floats


def blocks_of(*rates: list[float], items: int = 4) -> Blocks:
    values = np.array(rates, dtype=np.float64)
    return Blocks(values * items, np.full(values.shape, float(items)))


@pytest.mark.parametrize("rate", [0.0, 1.0, 0.25])
def test_units_that_are_all_alike_leave_an_interval_with_a_width(rate: float) -> None:
    (low,), (high,) = rate_interval(blocks_of([rate] * 25), seed=1)
    assert low <= rate <= high
    assert high - low > 0.1


def test_a_model_without_an_error_has_the_limit_of_clopper_and_pearson() -> None:
    """Of 25 templates all right: 0.025^(1/25) = 0.8628."""
    (low,), (high,) = rate_interval(blocks_of([1.0] * 25), seed=1)
    assert (low, high) == (pytest.approx(0.8628, abs=1e-4), 1.0)


def test_successes_that_are_not_whole_lie_between_their_neighbours() -> None:
    lows, highs = exact_limits([0.4, 0.45, 0.5], [10, 10, 10])
    assert sorted(lows) == list(lows)
    assert sorted(highs) == list(highs)


def test_rates_of_many_errors_keep_the_bootstrap() -> None:
    rates = blocks_of([0.0, 0.25, 0.5, 0.75, 1.0] * 5)
    kept, drawn = rate_interval(rates, seed=1), bootstrap_interval(rates, seed=1)
    assert [kept[0][0], kept[1][0]] == [drawn[0][0], drawn[1][0]]


def test_one_unit_has_no_interval() -> None:
    low, high = rate_interval(blocks_of([1.0]), seed=1)
    assert np.isnan([low[0], high[0]]).all()


def test_a_score_that_all_templates_share_has_an_interval_with_a_width() -> None:
    """Twenty templates in which every answer is biased: 2 * 0.025^(1/20) - 1 = 0.6631."""
    alike = Blocks(np.full((1, 20), 4.0), np.full((1, 20), 4.0))
    tests, mean = score_tests(alike, 0.05, Resampling()), mean_over_strata([(alike,)], Resampling(), 0.05)
    for low, high, p in (
        (tests.ci_low[0], tests.ci_high[0], tests.p_value[0]),
        (mean.ci_low, mean.ci_high, mean.p_value),
    ):
        assert (low, high) == (pytest.approx(0.6631, abs=1e-4), 1.0)
        assert p < 0.001


@given(st.lists(st.integers(0, 4), min_size=2, max_size=30))
def test_an_interval_holds_its_rate_and_has_a_width(right: list[int]) -> None:
    rates = Blocks(np.array([right], dtype=np.float64), np.full((1, len(right)), 4.0))
    (low,), (high,) = rate_interval(rates, seed=1, resamples=50)
    assert 0 <= low <= high <= 1
    assert high > low


def drawn_rates(share: float, units: int, simulations: int) -> Floats:
    """Units without an error, but for a share of them, which are wrong in 1 to 4 of 4 items: [simulations, units]."""
    generator = np.random.default_rng(7)
    wrong = (generator.random((simulations, units)) < share) * generator.integers(1, 5, (simulations, units))
    return 1 - wrong / 4


@pytest.mark.parametrize(("share", "units"), [(0.02, 25), (0.05, 25), (0.1, 25), (0.1, 12), (0.2, 25), (0.02, 200)])
def test_intervals_cover_where_errors_are_rare(share: float, units: int) -> None:
    """At least 93 of 100; the bootstrap alone covers 40 at a share of 0.02 and 25 units."""
    values = drawn_rates(share, units, 2000)
    low, high = rate_interval(Blocks(4 * values, np.full(values.shape, 4.0)), seed=1, resamples=400)
    true = 1 - share * 2.5 / 4
    assert np.mean((low <= true) & (true <= high)) >= 0.93
