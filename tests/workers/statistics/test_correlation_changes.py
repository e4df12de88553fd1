"""Differences of correlations, against a bootstrap one resample at a time."""

import numpy as np
import pytest

from workers.statistics.correlation_changes import correlation_changes
from workers.statistics.intervals import expanded_tail, times_drawn
from workers.statistics.units import Floats

RANDOM = np.random.default_rng(0)


def bridge(names: int = 60, tied: float = 0.0) -> tuple[Floats, Floats]:
    x, y = RANDOM.normal(size=(names, 2)), RANDOM.normal(size=(names, 3))
    y[:, 0] += tied * x[:, 0]
    return x, y


def r(sides: tuple[Floats, Floats], rows: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> Floats:
    return np.corrcoef(sides[0][rows].T, sides[1][rows].T)[:2, 2:]


def test_value_and_interval_are_those_of_the_difference_with_the_same_names_in_both() -> None:
    first, second = bridge(), bridge(tied=1.0)
    found = correlation_changes(first, second, seed=3, resamples=200, level=0.95)
    np.testing.assert_allclose(found.value, r(second, np.arange(60)) - r(first, np.arange(60)))
    rows = [np.repeat(np.arange(60), weights.astype(int)) for weights in times_drawn(60, 200, 3).T]
    drawn = np.stack([r(second, some) - r(first, some) for some in rows])
    tail = expanded_tail(60, 0.95)
    np.testing.assert_allclose(found.low, np.quantile(drawn, tail, axis=0), atol=1e-5)
    np.testing.assert_allclose(found.high, np.quantile(drawn, 1 - tail, axis=0), atol=1e-5)
    assert found.p_value[0, 0] < 1e-3


def test_equal_scores_do_not_differ() -> None:
    one = bridge()
    found = correlation_changes(one, one, seed=0, resamples=200, level=0.95)
    np.testing.assert_array_equal(found.value, 0)
    np.testing.assert_array_equal(found.p_value, 1)


def test_scores_by_chance_are_beyond_it_as_often_as_the_level_says() -> None:
    p = [correlation_changes(bridge(), bridge(), seed=0, resamples=100, level=0.95).p_value.ravel() for _ in range(100)]
    assert 0.02 <= (np.concatenate(p) < 0.05).mean() <= 0.08


@pytest.mark.parametrize("names", [0, 3])
def test_few_names_have_no_difference(names: int) -> None:
    found = correlation_changes(bridge(names), bridge(names), seed=0, resamples=100, level=0.95)
    assert np.isnan(found.value).all()
    assert np.isnan(found.p_value).all()
