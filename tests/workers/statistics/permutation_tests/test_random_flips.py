"""Counts in single precision are those of double precision, ties and rounding included."""

import numpy as np
import numpy.typing as npt
import pytest

from workers.statistics.permutation_tests.random_flips import CELLS_AT_ONCE, count_reaching
from workers.statistics.permutation_tests.sign_flips import TIE, directions, random_patterns
from workers.statistics.units import Floats

RANDOM = np.random.default_rng(3)
VALUES = {
    "continuous": RANDOM.normal(0.2, 1, (2 * CELLS_AT_ONCE + 7, 53)),
    "heavy tails": RANDOM.standard_cauchy((40, 41)),
    "whole numbers, whose sums often tie": RANDOM.integers(-2, 4, (40, 30)).astype(np.float64),
    "all units alike": np.full((3, 29), 0.7),
    "nothing but zeros": np.zeros((2, 30)),
    "next to nothing beside one large value": np.hstack([np.full((5, 1), 1e6), RANDOM.normal(0, 1e-3, (5, 30))]),
}
DRAWS = 9000


def _in_double_precision(values: Floats, *, two_sided: bool) -> npt.NDArray[np.int64]:
    scaled = directions(values)
    sums = np.concatenate([scaled @ signs.T for signs in random_patterns(values.shape[1], 5, DRAWS)], axis=1)
    reached = (np.abs(sums) if two_sided else sums) >= scaled.sum(axis=1, keepdims=True) - TIE
    return np.asarray(reached.sum(axis=1))


@pytest.mark.parametrize("two_sided", [True, False])
@pytest.mark.parametrize("name", VALUES)
def test_counts_are_those_of_double_precision(name: str, two_sided: bool) -> None:
    found = count_reaching(VALUES[name], 5, DRAWS, two_sided=two_sided)
    assert found.tolist() == _in_double_precision(VALUES[name], two_sided=two_sided).tolist()


def test_a_cells_count_does_not_depend_on_other_cells() -> None:
    values = VALUES["continuous"]
    alone = count_reaching(values[150:151], 5, DRAWS)
    assert alone.tolist() == count_reaching(values, 5, DRAWS)[150:151].tolist()


def test_without_cells_nothing_is_counted() -> None:
    assert count_reaching(np.zeros((0, 30)), 5, DRAWS).tolist() == []
