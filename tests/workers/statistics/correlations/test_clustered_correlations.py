"""Correlations of pairs in clusters, against SciPy's and a bootstrap one resample at a time."""

from typing import Any

import numpy as np
import pytest
from scipy import stats

from workers.statistics.correlations.clustered_correlations import clustered_correlation
from workers.statistics.intervals import expanded_tail, times_drawn

RANDOM = np.random.default_rng(0)


def test_one_pair_a_cluster_is_the_plain_correlation() -> None:
    x, y = RANDOM.normal(size=(2, 40, 1))
    found, alone = clustered_correlation(x, y, seed=0, resamples=200, level=0.95), stats.pearsonr(x[:, 0], y[:, 0])
    assert found.value == pytest.approx(alone.statistic)
    assert found.p_value == pytest.approx(alone.pvalue)
    assert (found.pairs, found.clusters) == (40, 40)


def test_clusters_are_drawn_whole() -> None:
    x, y = RANDOM.normal(size=(2, 12, 5)) + RANDOM.normal(size=(12, 1))
    found = clustered_correlation(x, y, seed=3, resamples=300, level=0.95)
    drawn = []
    for weights in times_drawn(12, 300, 3).T:
        some = np.repeat(np.arange(12), weights.astype(int))
        drawn.append(np.corrcoef(x[some].ravel(), y[some].ravel())[0, 1])
    tail = expanded_tail(12, 0.95)
    assert found.value == pytest.approx(np.corrcoef(x.ravel(), y.ravel())[0, 1])
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(drawn, [tail, 1 - tail])))
    spread = np.arctanh(drawn).std()
    assert found.p_value == pytest.approx(2 * stats.t.sf(np.arctanh(found.value) / spread, 11))


def test_clusters_of_several_pairs_are_beyond_chance_as_often_as_the_level_says() -> None:
    """30 clusters of 4 pairs that share a part on either side, one independent of the other."""
    random = np.random.default_rng(1)
    sides = random.normal(size=(400, 2, 30, 4)) + random.normal(size=(400, 2, 30, 1))
    p = [clustered_correlation(x, y, seed=0, resamples=200, level=0.95).p_value for x, y in sides]
    assert 0.02 <= np.mean(np.array(p) < 0.05) <= 0.08


def test_many_clusters_show_that_a_correlation_is_small() -> None:
    x, y = RANDOM.normal(size=(2, 3000, 1))
    settings: dict[str, Any] = {"seed": 0, "resamples": 200, "level": 0.95}
    assert clustered_correlation(x, y, margin=0.1, **settings).equivalence_p < 0.01
    assert clustered_correlation(x[:50], y[:50], margin=0.1, **settings).equivalence_p > 0.05
    assert np.isnan(clustered_correlation(x, y, **settings).equivalence_p)


def test_pairs_without_both_numbers_do_not_count() -> None:
    x, y = RANDOM.normal(size=(2, 8, 2))
    x[0], y[1, 0] = np.nan, np.nan
    found = clustered_correlation(x, y, seed=0, resamples=200, level=0.95)
    known = ~(np.isnan(x) | np.isnan(y))
    assert found.value == pytest.approx(np.corrcoef(x[known], y[known])[0, 1])
    assert (found.pairs, found.clusters) == (13, 7)


@pytest.mark.parametrize("x", [np.ones((8, 1)), np.arange(3.0)[:, None]])
def test_too_few_or_constant_numbers_have_no_correlation(x: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    found = clustered_correlation(x, RANDOM.normal(size=x.shape), seed=0, resamples=200, level=0.95)
    assert np.isnan([found.value, found.low, found.high, found.p_value]).all()
