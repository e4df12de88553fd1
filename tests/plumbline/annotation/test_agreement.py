"""Agreement between annotators, beyond chance."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from plumbline.annotation.agreement import exact_share, fleiss, weighted_kappa

ONE, OTHER, THIRD = [0, 1, 2, 2, 4, 3], [0, 2, 2, 1, 4, 4], [1, 1, 2, 2, 3, 3]


def test_fleiss_of_two_categories_by_hand() -> None:
    """Three annotators, two items: all say 0; two of three say 1. P = (1 + 1/3) / 2, chance = (2/3)^2 + (1/3)^2."""
    answers = np.array([[0, 1], [0, 1], [0, 0]])
    observed, chance = (1 + 1 / 3) / 2, (4 / 6) ** 2 + (2 / 6) ** 2
    assert fleiss(answers, 2) == pytest.approx((observed - chance) / (1 - chance))


def test_the_weighted_kappa_is_the_mean_over_pairs_of_people() -> None:
    pairs = [(ONE, OTHER), (ONE, THIRD), (OTHER, THIRD)]
    expected = np.mean([cohen_kappa_score(a, b, labels=range(5), weights="quadratic") for a, b in pairs])
    assert weighted_kappa(np.array([ONE, OTHER, THIRD]), 5) == pytest.approx(expected)


def test_on_a_scale_near_misses_cost_less_than_far_ones() -> None:
    near, far = np.array([[0, 2, 4], [1, 2, 4]]), np.array([[0, 2, 4], [4, 2, 4]])
    assert (weighted_kappa(near, 5) or 0) > (weighted_kappa(far, 5) or 0)
    assert exact_share(near) == exact_share(far) == pytest.approx(2 / 3)


def test_people_who_all_say_one_thing_leave_chance_nothing_to_explain() -> None:
    same = np.zeros((3, 4), dtype=np.int64)
    assert fleiss(same, 2) is None
    assert weighted_kappa(same, 5) is None
    assert exact_share(same) == 1.0


def test_one_person_agrees_with_nobody() -> None:
    alone = np.array([ONE])
    assert fleiss(alone, 5) is weighted_kappa(alone, 5) is exact_share(alone) is None
