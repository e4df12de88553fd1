"""Scores of pairs of opposites: right pole minus left pole, and their measures."""

import numpy as np
import pytest

from plumbline.spec.banks.pairs import Pair
from tests.workers.analyses.alignment.judged import QUICK, groups_of, pairs_of
from workers.analyses.alignment.pair_scores import averaged_scores, measures, pair_scores

# [templates, groups, attributes]: the poles of the first pair stand at 0 and 1, those of the second at 2 and 3.
SCORES = np.array([[[1.0, 4.0, 2.0, 0.5]], [[2.0, 4.5, np.nan, 0.5]]])


def test_a_pair_score_is_the_right_pole_minus_the_left_one() -> None:
    np.testing.assert_array_equal(pair_scores(SCORES, pairs_of(2)), [[[3.0, -1.5]], [[2.5, np.nan]]])


def test_the_poles_of_a_pair_may_be_anywhere_in_the_list() -> None:
    turned = [Pair("warm - cold", "", "", 1, 0)]
    np.testing.assert_array_equal(pair_scores(SCORES, turned), [[[-3.0]], [[-2.5]]])


def test_the_measure_of_a_pair_is_the_mean_over_the_templates() -> None:
    values = pair_scores(SCORES, pairs_of(2))
    first, second = measures(values, groups_of(1), pairs_of(2), np.arange(2), QUICK)
    assert (first.statistic, first.group_a, first.attribute) == ("pair_score", "g0", "l0 - r0")
    assert [first.value, second.value] == pytest.approx([2.75, -1.5])
    assert [first.n_units, second.n_units] == [2, 1]


def test_poles_are_averaged_with_the_adjectives_beside_them() -> None:
    scores = np.array([[[1.0, 4.0, 3.0, np.nan, 8.0]]])
    pair = Pair("cold - warm", "", "", 0, 1, left_extra=(2, 3), right_extra=(4,))
    assert averaged_scores(scores, [pair]).tolist() == [[[4.0]]]


def test_a_pair_without_further_adjectives_keeps_its_score() -> None:
    scores = np.array([[[1.0, 4.0], [np.nan, 4.0]]])
    pair = Pair("cold - warm", "", "", 0, 1)
    assert np.array_equal(averaged_scores(scores, [pair]), pair_scores(scores, [pair]), equal_nan=True)
