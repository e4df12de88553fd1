"""Correlations over a bridge, against SciPy's one by one."""

import numpy as np
import pytest
from scipy import stats

from workers.statistics.bridge_correlations import correlations, pearson

RANDOM = np.random.default_rng(0)
X, Y = RANDOM.normal(size=(60, 3)), RANDOM.normal(size=(60, 4))
Y[:, 0] += X[:, 0]


def test_value_and_p_are_those_of_each_pair_alone() -> None:
    found = correlations(X, Y, seed=0, resamples=100)
    for row in range(3):
        for column in range(4):
            alone = stats.pearsonr(X[:, row], Y[:, column])
            assert found.value[row, column] == pytest.approx(alone.statistic)
            assert found.p_value[row, column] == pytest.approx(alone.pvalue)


def test_weights_count_a_name_so_often() -> None:
    weights = np.array([0.0, 2.0] + [1.0] * 58)
    repeated = np.repeat(np.arange(60), weights.astype(int))
    expected = np.corrcoef(X[repeated, 0], Y[repeated, 0])[0, 1]
    assert pearson(X, Y, weights)[0, 0] == pytest.approx(expected)


def test_the_interval_holds_the_value_and_covers_as_often_as_it_says() -> None:
    random = np.random.default_rng(1)
    shared = random.normal(size=(400, 60, 1))
    x, y = (shared + random.normal(size=(400, 60, 1)) for _ in range(2))
    inside = 0
    for one, other in zip(x, y, strict=True):
        found = correlations(one, other, seed=0, resamples=200)
        inside += found.low[0, 0] <= 0.5 <= found.high[0, 0]
    assert 0.90 <= inside / 400 <= 0.99


def test_a_column_that_does_not_vary_has_no_correlation() -> None:
    found = correlations(np.column_stack([X[:, 0], np.full(60, 0.1)]), Y, seed=0, resamples=100)
    assert np.isnan(found.value[1]).all()
    assert np.isnan(found.p_value[1]).all()
    assert not np.isnan(found.value[0]).any()


@pytest.mark.parametrize("names", [0, 1, 3])
def test_too_few_names_have_no_correlation(names: int) -> None:
    found = correlations(X[:names], Y[:names], seed=0, resamples=100)
    assert np.isnan(found.value).all()
    assert np.isnan(found.low).all()


def test_what_a_control_explains_is_taken_out() -> None:
    control = RANDOM.normal(size=(60, 1))
    x, y = X[:, :1] + 3 * control, Y[:, 1:2] + 3 * control
    held = correlations(x, y, seed=0, resamples=200, controls=control)
    names = np.column_stack([x, y, control])
    inverse = np.linalg.inv(np.cov(names.T))
    partial = -inverse[0, 1] / np.sqrt(inverse[0, 0] * inverse[1, 1])
    assert correlations(x, y, seed=0, resamples=0).value[0, 0] > 0.7
    assert held.value[0, 0] == pytest.approx(partial)
    freedom = 60 - 3
    t = abs(partial) * np.sqrt(freedom / (1 - partial**2))
    assert held.p_value[0, 0] == pytest.approx(2 * stats.t.sf(t, freedom))
    assert held.low[0, 0] < partial < held.high[0, 0]
    assert held.high[0, 0] - held.low[0, 0] < 0.7


def test_the_regression_on_controls_is_fitted_anew_for_each_resample() -> None:
    control = RANDOM.normal(size=(60, 2))
    weights = RANDOM.multinomial(60, np.full(60, 1 / 60)).astype(float)
    drawn = np.repeat(np.arange(60), weights.astype(int))
    expected = correlations(X[drawn], Y[drawn], seed=0, resamples=0, controls=control[drawn]).value
    np.testing.assert_allclose(pearson(X, Y, weights, control), expected)


def test_a_column_that_the_controls_explain_has_no_correlation() -> None:
    held = correlations(X, Y, seed=0, resamples=0, controls=X[:, :1] * 1e6)
    assert np.isnan(held.value[0]).all()
    assert not np.isnan(held.value[1:]).any()


def test_all_targets_at_once_are_drawn_as_one_alone() -> None:
    whole, alone = correlations(X, Y, seed=3, resamples=150), correlations(X[:, 2:], Y, seed=3, resamples=150)
    np.testing.assert_allclose(whole.low[2], alone.low[0], atol=1e-5)
    np.testing.assert_allclose(whole.high[2], alone.high[0], atol=1e-5)
