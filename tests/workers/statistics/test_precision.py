"""Precision at the ends of a ranking, worked out by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from workers.statistics.precision import chance_precision, precision_at
from workers.statistics.units import Floats

SCORES = np.array([[6.0, 5.0, 4.0, 3.0, 2.0, 1.0]])


def test_top_and_bottom_are_counted_apart() -> None:
    """Highest three: two of them above 50. Lowest three: one of them below."""
    human = np.array([[90.0, 10.0, 60.0, 70.0, 80.0, 20.0]])
    found = precision_at(3, SCORES, human)
    assert (found.top[0], found.bottom[0], found.mean[0]) == pytest.approx((2 / 3, 1 / 3, 1 / 2))


def test_a_mean_of_50_is_on_neither_side() -> None:
    found = precision_at(3, SCORES, np.full((1, 6), 50.0))
    assert (found.top[0], found.bottom[0]) == (0.0, 0.0)


def test_scores_that_tie_at_the_edge_share_the_last_place() -> None:
    """Two columns tie for the third place; one of them is right: half a hit beside two whole ones."""
    scores = np.array([[9.0, 8.0, 5.0, 5.0, 2.0, 1.0, 0.0]])
    human = np.array([[90.0, 90.0, 90.0, 10.0, 10.0, 10.0, 10.0]])
    assert precision_at(3, scores, human).top[0] == pytest.approx(2.5 / 3)


def test_a_row_whose_ends_would_overlap_is_undefined() -> None:
    scores = np.array([[1.0, 2.0, 3.0, 4.0, 5.0, np.nan]])
    assert np.isnan(precision_at(3, scores, np.full((1, 6), 60.0)).mean).all()
    assert np.isnan(chance_precision(3, np.array([[60.0, 40.0]])).top).all()


def test_chance_is_the_share_of_each_side() -> None:
    human = np.array([[60.0, 60.0, 60.0, 60.0, 40.0, np.nan, 40.0]])
    found = chance_precision(3, human)
    assert (found.top[0], found.bottom[0], found.mean[0]) == pytest.approx((4 / 6, 2 / 6, 1 / 2))


def test_rankings_at_random_come_near_to_chance() -> None:
    human = np.random.default_rng(0).uniform(0, 100, size=(1, 16))
    noise = np.random.default_rng(1).random((20_000, 1, 16))
    found = precision_at(3, noise, np.broadcast_to(human, noise.shape))
    assert found.top.mean() == pytest.approx(chance_precision(3, human).top[0], abs=0.01)


TABLE = arrays(float, (3, 8), elements=st.floats(0, 100))


@given(TABLE, TABLE, st.permutations(range(8)))
def test_the_order_of_the_columns_does_not_matter(scores: Floats, human: Floats, order: list[int]) -> None:
    before, after = precision_at(3, scores, human), precision_at(3, scores[:, order], human[:, order])
    assert after.top == pytest.approx(before.top)
    assert after.bottom == pytest.approx(before.bottom)


@given(TABLE, TABLE)
def test_turning_every_pair_round_exchanges_the_ends(scores: Floats, human: Floats) -> None:
    before, after = precision_at(3, scores, human), precision_at(3, -scores, 100 - human)
    # 100 - x may round onto 50.
    if ((human > 50) == (100 - human < 50)).all() and ((human < 50) == (100 - human > 50)).all():
        assert after.top == pytest.approx(before.bottom)
