"""Correlations over a bridge, against SciPy's one by one."""

import numpy as np
import pytest
from scipy import stats

from workers.statistics.correlations.bridge_correlations import (
    Correlations,
    Sides,
    correlations,
    design_of,
    indicators,
    within_margin_p,
)
from workers.statistics.name_groups import Drawn, draw_names

RANDOM = np.random.default_rng(0)
X, Y = RANDOM.normal(size=(60, 3)), RANDOM.normal(size=(60, 4))
Y[:, 0] += X[:, 0]
EVERY = slice(None)


def drawn(names: int = 60, resamples: int = 100, seed: int = 0) -> Drawn:
    return draw_names(np.zeros(names, dtype=np.intp), seed=seed, resamples=resamples)


def test_the_value_is_that_of_each_pair_alone() -> None:
    found = correlations(X, Y, drawn())
    for row in range(3):
        for column in range(4):
            alone = stats.pearsonr(X[:, row], Y[:, column])
            assert found.value[row, column] == pytest.approx(alone.statistic)


def test_weights_count_a_name_so_often() -> None:
    weights = np.array([0.0, 2.0] + [1.0] * 58)
    repeated = np.repeat(np.arange(60), weights.astype(int))
    expected = np.corrcoef(X[repeated, 0], Y[repeated, 0])[0, 1]
    assert Sides.of(X, Y, np.ones((60, 1))).r(weights, EVERY)[0, 0] == pytest.approx(expected)


def test_the_interval_holds_the_value_and_covers_as_often_as_it_says() -> None:
    random, inside = np.random.default_rng(1), []
    for seed in range(10):
        shared = random.normal(size=(60, 40))
        x, y = (shared + random.normal(size=(60, 40)) for _ in range(2))
        found = correlations(x, y, drawn(resamples=200, seed=seed))
        inside.append(np.diag((found.low <= 0.5) & (found.high >= 0.5)).mean())
    assert 0.90 <= np.mean(inside) <= 0.99


def test_a_column_that_does_not_vary_has_no_correlation() -> None:
    found = correlations(np.column_stack([X[:, 0], np.full(60, 0.1)]), Y, drawn())
    assert np.isnan(found.value[1]).all()
    assert np.isnan(found.spread[1]).all()
    assert not np.isnan(found.value[0]).any()


@pytest.mark.parametrize("names", [0, 1, 3])
def test_too_few_names_have_no_correlation(names: int) -> None:
    found = correlations(X[:names], Y[:names], drawn(names))
    assert np.isnan(found.value).all()
    assert np.isnan(found.low).all()


def test_what_a_control_explains_is_taken_out() -> None:
    control = RANDOM.normal(size=(60, 1))
    x, y = X[:, :1] + 3 * control, Y[:, 1:2] + 3 * control
    held = correlations(x, y, drawn(resamples=200), design_of(control))
    names = np.column_stack([x, y, control])
    inverse = np.linalg.inv(np.cov(names.T))
    partial = -inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1])
    assert correlations(x, y, drawn(resamples=0)).value[0, 0] > 0.7
    assert held.value[0, 0] == pytest.approx(partial)
    assert held.low[0, 0] < partial < held.high[0, 0]
    assert held.high[0, 0] - held.low[0, 0] < 0.7


def test_the_regression_on_controls_is_fitted_again_for_each_resample() -> None:
    control = RANDOM.normal(size=(60, 2))
    weights = RANDOM.multinomial(60, np.full(60, 1 / 60)).astype(float)
    some = np.repeat(np.arange(60), weights.astype(int))
    expected = correlations(X[some], Y[some], drawn(resamples=0), design_of(control[some])).value
    np.testing.assert_allclose(Sides.of(X, Y, design_of(control)).r(weights, EVERY), expected)


def test_a_column_that_the_controls_explain_has_no_correlation() -> None:
    held = correlations(X, Y, drawn(resamples=0), design_of(X[:, :1] * 1e6))
    assert np.isnan(held.value[0]).all()
    assert not np.isnan(held.value[1:]).any()


def test_all_targets_at_once_are_drawn_as_one_alone() -> None:
    whole, alone = correlations(X, Y, drawn(seed=3)), correlations(X[:, 2:], Y, drawn(seed=3))
    np.testing.assert_allclose(whole.low[2], alone.low[0], atol=1e-5)
    np.testing.assert_allclose(whole.high[2], alone.high[0], atol=1e-5)


def test_a_regression_on_groups_leaves_scores_centred_on_their_group() -> None:
    groups = RANDOM.integers(8, size=60)
    some = draw_names(groups, seed=0, resamples=30)
    found = correlations(X + groups[:, None], Y + groups[:, None], some, indicators(groups))
    assert found.value[1, 2] == pytest.approx(_centred_r(groups, np.ones(60, dtype=int)))
    resampled = [_centred_r(groups, weights.astype(int)) for weights in some.weights.T]
    assert found.spread[1, 2] == pytest.approx(np.std(np.arctanh(resampled)), rel=1e-4)


def _centred_r(groups: np.ndarray[tuple[int], np.dtype[np.int64]], weights: np.ndarray) -> float:
    rows = np.repeat(np.arange(60), weights)
    x, y = ((side + groups)[rows] for side in (X[:, 1], Y[:, 2]))
    for group in set(groups[rows]):
        own = groups[rows] == group
        x[own], y[own] = x[own] - x[own].mean(), y[own] - y[own].mean()
    return float(np.corrcoef(x, y)[0, 1])


def test_a_correlation_is_shown_to_be_small_on_fishers_scale() -> None:
    one = np.array([[0.05]])
    found = Correlations(one, one, one, np.array([[0.02]]), 40)
    expected = stats.t.sf((np.arctanh(0.1) - np.arctanh(0.05)) / 0.02, 39)
    assert within_margin_p(found, 0.1, 40)[0, 0] == pytest.approx(expected)
    assert np.isnan(within_margin_p(found, np.nan, 40)).all()
