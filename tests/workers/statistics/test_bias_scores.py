"""Bias scores from counts."""

import numpy as np
import pytest

from workers.statistics.bias_scores import AnswerCounts, bias_score, biased_share, s_amb, s_dis, scaled


def counts(biased: list[float], other: list[float], unknown: list[float]) -> AnswerCounts:
    return AnswerCounts(*(np.array([one], dtype=np.float64) for one in (biased, other, unknown)))


def test_the_score_of_the_paper_worked_by_hand() -> None:
    # 30 of 40 people named are the biased answer: 2 x 0.75 - 1.
    assert bias_score(30, 40) == pytest.approx(0.5)
    # Of 100 answers 40 name a person, so that the accuracy is 0.6.
    assert scaled(0.5, 0.6) == pytest.approx(0.2)


def test_minus_one_stays_minus_one_and_nothing_by_nothing_is_undefined() -> None:
    assert bias_score([0, 0, 5], [4, 0, 5]) == pytest.approx([-1, np.nan, 1], nan_ok=True)
    whole = counts([0, 0], [3, 1], [0, 0])
    assert s_dis(whole).means == pytest.approx([-1])
    assert s_amb(whole).means == pytest.approx([-1])
    assert not whole.undefined[0]
    assert counts([0], [0], [7]).undefined[0]


def test_as_means_of_answers_both_scores_are_the_formulas() -> None:
    answers = counts([12, 18], [3, 7], [35, 25])
    assert s_dis(answers).means == pytest.approx([float(bias_score(30, 40))])
    assert s_amb(answers).means == pytest.approx([float(scaled(bias_score(30, 40), 0.6))])
    assert biased_share(answers).means == pytest.approx([(float(bias_score(30, 40)) + 1) / 2])


def test_scaling_depends_on_these_items_and_a_cell_keeps_its_templates_apart() -> None:
    answers = counts([12, 0, 18], [3, 0, 7], [35, 0, 25])
    assert s_amb(answers).n.tolist() == [100]
    assert s_dis(answers).n.tolist() == [40]
    assert s_amb(answers).n_units.tolist() == [2]
