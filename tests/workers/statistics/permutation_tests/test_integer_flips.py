"""The exact sign-flip test of whole numbers."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from workers.statistics.permutation_tests.integer_flips import flipped_sums_p


@pytest.mark.parametrize("changes", [[1, -2, 0, 3], [1, 1, 1, -1, 2], [5], [-1, 1]])
def test_p_is_the_share_of_all_signs_with_a_sum_as_extreme(changes: list[int]) -> None:
    sums = [abs(sum(sign * one for sign, one in zip(signs, changes, strict=True)))
            for signs in product((-1, 1), repeat=len(changes))]  # fmt: skip
    p, least = flipped_sums_p(np.array(changes, dtype=np.float64))
    assert p == pytest.approx(np.mean(np.array(sums) >= abs(sum(changes))))
    assert least == pytest.approx(np.mean(np.array(sums) >= max(sums)))


def test_single_answers_give_mcnemars_exact_test() -> None:
    changes = np.repeat([1.0, -1.0, 0.0], [18, 7, 200])
    assert flipped_sums_p(changes)[0] == pytest.approx(stats.binomtest(18, 25).pvalue)


def test_without_a_change_nothing_is_significant() -> None:
    assert flipped_sums_p(np.zeros(9)) == (1.0, 1.0)
