"""The smallest p of a test over splits of names: that of two groups that lie apart."""

import math

import numpy as np
import pytest

from workers.statistics.permutation_tests.name_splits import least_p_of_splits
from workers.statistics.permutation_tests.two_group_rates import permute_names

LACKS = np.nan


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([9, 9, 9, 9], [1, 1, 1, 1]),
        ([9, 9, 9], [1, 1, 1, 1]),
        ([9, 9, 9, LACKS], [1, 1, 1, 1]),
        ([9, 9, LACKS, LACKS], [1, 1, LACKS, 1]),
        ([9, LACKS, LACKS], [1, 1, 1, LACKS, 1]),
    ],
)
def test_it_is_what_the_test_gives_for_groups_that_lie_apart(x: list[float], y: list[float]) -> None:
    a, b = (np.array(side, dtype=np.float64)[:, None] for side in (x, y))
    assert least_p_of_splits(a, b, draws=9999) == pytest.approx(permute_names([(a, b)], seed=0)[0].p_value)


def test_five_names_a_group_reach_two_in_252() -> None:
    assert least_p_of_splits(np.zeros((5, 1)), np.ones((5, 1)), draws=9999) == pytest.approx(2 / math.comb(10, 5))


def test_random_splits_reach_the_observed_one_alone() -> None:
    assert least_p_of_splits(np.zeros((25, 1)), np.ones((25, 1)), draws=999) == pytest.approx(1 / 1000)


def test_a_group_without_the_word_has_no_test() -> None:
    assert np.isnan(least_p_of_splits(np.full((3, 1), LACKS), np.ones((3, 1)), draws=999)).all()
