"""Kendall's tau over resampled and exchanged groups, held against scipy on the table written out in full."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

from workers.statistics.correlations.rank_agreement import (
    centred_p,
    kendall_tau,
    mirrored,
    permuted_taus,
    resampled_taus,
)
from workers.statistics.units import Floats

NAN = float("nan")
# Few distinct values, so that ties are frequent; some cells are missing.
CELL = st.sampled_from([0.0, 1.0, 2.0, 3.5, NAN])
TABLES = st.tuples(st.integers(2, 4), st.integers(1, 4)).flatmap(
    lambda shape: st.tuples(arrays(float, shape, elements=CELL), arrays(float, shape, elements=CELL))
)


def test_tau_of_three_hand_worked_pairs() -> None:
    """Of the three pairs of cells two agree and one disagrees: (2 - 1)/3."""
    tau, p = kendall_tau(np.array([1.0, 2.0, 3.0]), np.array([10.0, 30.0, 20.0]))
    assert tau == pytest.approx(1 / 3)
    assert p == pytest.approx(1.0)


def test_a_tie_counts_for_neither_side() -> None:
    """Pairs: (1,2) tied in x, (1,3) and (2,3) agree. Tau-b = 2 / sqrt(2 * 3)."""
    tau, _ = kendall_tau(np.array([1.0, 1.0, 2.0]), np.array([10.0, 20.0, 30.0]))
    assert tau == pytest.approx(2 / np.sqrt(6))


@pytest.mark.parametrize("y", [[1.0, 1.0, 1.0], [1.0, NAN, NAN]])
def test_tau_without_two_cells_that_differ_is_undefined(y: list[float]) -> None:
    assert np.isnan(kendall_tau(np.array([1.0, 2.0, 3.0]), np.array(y))).all()


def plain(x: Floats, y: Floats) -> float:
    return kendall_tau(x.ravel(), y.ravel())[0]


@given(TABLES, st.data())
def test_resampled_rows_are_like_rows_written_out(tables: tuple[Floats, Floats], data: st.DataObject) -> None:
    x, y = tables
    drawn = data.draw(st.lists(st.integers(0, len(x) - 1), min_size=len(x), max_size=len(x)))
    weights = np.bincount(drawn, minlength=len(x)).astype(float)[:, None]
    assert resampled_taus(x, y, weights)[0] == pytest.approx(plain(x[drawn], y[drawn]), nan_ok=True)


@given(TABLES)
def test_exchanged_rows_are_like_rows_written_out(tables: tuple[Floats, Floats]) -> None:
    x, y = tables
    orders = np.array(list(itertools.permutations(range(len(x)))))
    expected = [plain(x, y[order]) for order in orders]
    assert permuted_taus(x, y, orders) == pytest.approx(expected, nan_ok=True)


def test_many_rows_are_exchanged_like_few() -> None:
    generator = np.random.default_rng(0)
    x, y = generator.random((2, 60, 4)).round(1)
    x[3, 1] = y[50, 2] = NAN
    orders = np.array([generator.permutation(60) for _ in range(10)])
    assert permuted_taus(x, y, orders) == pytest.approx([plain(x, y[order]) for order in orders])


def test_turning_a_pair_round_changes_tau_but_not_the_mirrored_one() -> None:
    generator = np.random.default_rng(1)
    x, y = generator.normal(size=(3, 4)), generator.uniform(0, 100, size=(3, 4))
    turned_x, turned_y = x.copy(), y.copy()
    turned_x[:, 0], turned_y[:, 0] = -x[:, 0], 100 - y[:, 0]
    assert plain(turned_x, turned_y) != pytest.approx(plain(x, y))
    before, after = (plain(mirrored(a, 0.0), mirrored(b, 100.0)) for a, b in ((x, y), (turned_x, turned_y)))
    assert after == pytest.approx(before)


def test_a_permutation_p_is_centred_counts_ties_and_is_never_zero() -> None:
    """Of 9 draws around 0.1 one is as far off as 0.5, on the other side: (1 + 1)/10."""
    drawn = np.array([0.1, 0.2, 0.0, -0.3, 0.15, 0.05, 0.3, -0.1, 0.1])
    assert centred_p(0.5, drawn, 0.1) == pytest.approx(0.2)
    assert centred_p(-0.9, drawn, 0.1) == pytest.approx(0.1)
    assert centred_p(0.1, drawn, 0.1) == 1.0
    assert np.isnan(centred_p(NAN, drawn, 0.1))


def test_scipys_own_p_is_reported_for_one_group() -> None:
    generator = np.random.default_rng(2)
    x, y = generator.random((2, 16))
    assert kendall_tau(x, y) == pytest.approx(tuple(stats.kendalltau(x, y)))
