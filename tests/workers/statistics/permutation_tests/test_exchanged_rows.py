"""The mean of tau over exchanged rows, held against every exchange written out."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workers.statistics.correlations.test_rank_agreement import TABLES
from workers.statistics.correlations.rank_agreement import permuted_taus, resampled_taus
from workers.statistics.permutation_tests.exchanged_rows import exchanged_taus
from workers.statistics.units import Floats


def scores(rows: int, columns: int = 3, seed: int = 0) -> tuple[Floats, Floats]:
    x, y = np.random.default_rng(seed).random((2, rows, columns))
    return x, y


@pytest.mark.parametrize("rows", [2, 3, 5])
def test_it_is_the_mean_over_all_permutations(rows: int) -> None:
    x, y = scores(rows)
    orders = np.array(list(itertools.permutations(range(rows))))
    assert exchanged_taus(x, y, np.ones((rows, 1)))[0] == pytest.approx(permuted_taus(x, y, orders).mean())


def test_a_copy_gets_no_ratings_of_a_copy_of_its_row() -> None:
    """Rows a, a, b, c: each copy keeps its own ratings or gets those of a copy of another row, no two the same."""
    x, y = scores(3)
    copies = [0, 0, 1, 2]
    agreeing, untied_x, untied_y = 0.0, 0.0, 0.0
    for one, other in itertools.product(range(4), repeat=2):
        got = [
            (order(y[copies[first]], y[copies[second]]))
            for first, second in itertools.product(range(4), repeat=2)
            if all(given == own or copies[given] != copies[own] for own, given in ((one, first), (other, second)))
            and (first == second) == (one == other)
        ]
        own = order(x[copies[one]], x[copies[other]])
        agreeing += float(np.mean([(own * signs).sum() for signs in got]))
        untied_x += np.abs(own).sum()
        untied_y += float(np.mean([np.abs(signs).sum() for signs in got]))
    found = exchanged_taus(x, y, np.array([[2.0], [1.0], [1.0]]))[0]
    assert found == pytest.approx(agreeing / np.sqrt(untied_x * untied_y))


def order(one: Floats, other: Floats) -> Floats:
    return np.sign(one[:, None] - other)


@given(TABLES, st.data())
def test_copies_of_one_row_keep_what_they_have(tables: tuple[Floats, Floats], data: st.DataObject) -> None:
    x, y = tables
    row = data.draw(st.integers(0, len(x) - 1))
    weights = np.zeros((len(x), 1))
    weights[row] = len(x)
    assert exchanged_taus(x, y, weights) == pytest.approx(resampled_taus(x, y, weights), nan_ok=True)


def test_many_rows_with_missing_cells_are_near_the_mean_of_their_permutations() -> None:
    x, y = scores(12, 6, 1)
    x[3, 1] = y[5, 2] = np.nan
    orders = np.array([np.random.default_rng(seed).permutation(12) for seed in range(3000)])
    expected = permuted_taus(x, y, orders).mean()
    assert exchanged_taus(x, y, np.ones((12, 1)))[0] == pytest.approx(expected, abs=0.004)
