"""Differences of correlations, against a bootstrap one resample at a time."""

import numpy as np
import pytest

from workers.statistics.correlations.correlation_changes import correlation_changes
from workers.statistics.name_groups import Drawn, draw_names
from workers.statistics.units import Floats

RANDOM = np.random.default_rng(0)


def drawn(names: int, resamples: int = 100, seed: int = 0) -> Drawn:
    return draw_names(np.zeros(names, dtype=np.intp), seed=seed, resamples=resamples)


def bridge(names: int = 60, tied: float = 0.0) -> tuple[Floats, Floats]:
    x, y = RANDOM.normal(size=(names, 2)), RANDOM.normal(size=(names, 3))
    y[:, 0] += tied * x[:, 0]
    return x, y


def r(sides: tuple[Floats, Floats], rows: np.ndarray[tuple[int, ...], np.dtype[np.intp]]) -> Floats:
    return np.corrcoef(sides[0][rows].T, sides[1][rows].T)[:2, 2:]


def test_value_and_interval_are_those_of_the_difference_with_the_same_names_in_both() -> None:
    first, second = bridge(), bridge(tied=1.0)
    some = drawn(60, 200, seed=3)
    found = correlation_changes(first, second, some)
    np.testing.assert_allclose(found.value, r(second, np.arange(60)) - r(first, np.arange(60)))
    rows = [np.repeat(np.arange(60), weights.astype(int)) for weights in some.weights.T]
    differences = np.stack([r(second, own) - r(first, own) for own in rows])
    np.testing.assert_allclose(found.low, np.quantile(differences, some.tail, axis=0), atol=1e-5)
    np.testing.assert_allclose(found.high, np.quantile(differences, 1 - some.tail, axis=0), atol=1e-5)
    assert found.p_value[0, 0] < 1e-3


def test_equal_scores_do_not_differ() -> None:
    one = bridge()
    found = correlation_changes(one, one, drawn(60), margin=0.1)
    np.testing.assert_array_equal(found.value, 0)
    np.testing.assert_array_equal(found.p_value, 1)
    np.testing.assert_array_less(found.equivalence_p, 1e-6)


def test_a_change_by_the_margin_is_not_shown_to_be_small_more_often_than_the_level_says() -> None:
    shown = []
    for seed in range(6):
        random = np.random.default_rng(seed)
        common, own = random.normal(size=(300, 20)), random.normal(size=(2, 300, 20))
        before, after = (common, own[0]), (common, own[1] + 0.1 * common)
        found = correlation_changes(before, after, drawn(300), margin=0.0995)
        shown.append(np.diag(found.equivalence_p) < 0.05)
    assert np.mean(shown) <= 0.08


def test_without_a_margin_nothing_is_shown_to_be_small() -> None:
    assert np.isnan(correlation_changes(bridge(), bridge(), drawn(60)).equivalence_p).all()


def test_scores_by_chance_are_beyond_it_as_often_as_the_level_says() -> None:
    random, p = np.random.default_rng(2), []
    for seed in range(8):
        x, y, u, v = random.normal(size=(4, 60, 25))
        p.append(correlation_changes((x, y), (u, v), drawn(60, seed=seed)).p_value.ravel())
    assert 0.02 <= (np.concatenate(p) < 0.05).mean() <= 0.08


@pytest.mark.parametrize("names", [0, 3])
def test_few_names_have_no_difference(names: int) -> None:
    found = correlation_changes(bridge(names), bridge(names), drawn(names))
    assert np.isnan(found.value).all()
    assert np.isnan(found.p_value).all()
