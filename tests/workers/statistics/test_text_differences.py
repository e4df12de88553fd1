"""Whether a text before each sentence changes scores: Student's t-tests, paired and unpaired, target by target."""

import numpy as np
import pytest

from workers.statistics.text_differences import p_values, text_differences

ONE = np.array([[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 0.0, 0.0]])
OTHER = np.array([[2.0, 2.0, 4.0, 6.0], [4.0, 3.0, 2.0, 1.0], [1.0, 1.0, 1.0, 1.0]])


def test_the_paired_test_is_on_the_differences() -> None:
    """-1, 0, -1, -2: mean -1, standard error 0.408, so t = -2.449 with 3 degrees of freedom."""
    assert p_values(ONE, OTHER, paired=True)[0] == pytest.approx(0.0917, abs=1e-4)


def test_the_unpaired_test_pools_the_variances() -> None:
    """Means 2.5 and 3.5, variances 5/3 and 11/3: t = -0.866 with 6 degrees of freedom."""
    assert p_values(ONE, OTHER, paired=False)[0] == pytest.approx(0.4198, abs=1e-4)


@pytest.mark.parametrize("paired", [True, False])
def test_equal_means_show_nothing_and_a_shift_of_all_words_alike_shows_most(paired: bool) -> None:
    p = p_values(ONE, OTHER, paired=paired)
    assert p[1] == 1.0
    assert p[2] == 0.0


def test_each_pair_of_texts_is_reported_with_the_share_of_targets_that_differ() -> None:
    found = text_differences([ONE, OTHER, ONE], (0.05, 0.1))
    assert [(one.pair, one.paired) for one in found] == [
        *[((1, 2), False), ((1, 3), False), ((2, 3), False)],
        *[((1, 2), True), ((1, 3), True), ((2, 3), True)],
    ]
    paired = found[3]
    assert paired.by_p == pytest.approx((1 / 3, 2 / 3))
    assert (paired.targets, paired.words, paired.largest) == (3, 4, 3.0)
    assert found[4].by_p == (0.0, 0.0)


def test_q_values_are_over_all_targets_of_all_pairs_of_texts() -> None:
    """Only the third target differs, in two of nine tests: its p of 0 stays, whatever the family."""
    assert text_differences([ONE, OTHER, ONE], (0.05,))[3].by_q == pytest.approx((1 / 3,))


def test_one_word_can_be_compared_with_nothing() -> None:
    assert text_differences([ONE[:, :1], OTHER[:, :1]], (0.05,)) == []
