"""Bias scores from counts."""

import numpy as np
import pytest

from workers.statistics.rates.bias_scores import (
    AnswerCounts,
    bias_score,
    biased_share,
    s_amb,
    s_dis,
    scaled,
    score_tests,
)
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats

SOME = Resampling(resamples=400, permutations=999)


def counts(biased: list[float], other: list[float], unknown: list[float]) -> AnswerCounts:
    return AnswerCounts(*(np.array([one], dtype=np.float64) for one in (biased, other, unknown)))


def test_the_score_of_the_paper_worked_by_hand() -> None:
    # 30 of 40 people named are the biased answer: 2 x 0.75 - 1.
    assert bias_score(30, 40) == pytest.approx(0.5)
    # Of 100 answers 40 name a person, so that the accuracy is 0.6.
    assert scaled(0.5, 0.6) == pytest.approx(0.2)


def test_minus_one_stays_minus_one_and_a_model_without_an_error_has_a_score_where_unknown_is_right() -> None:
    assert bias_score([0, 0, 5], [4, 0, 5]) == pytest.approx([-1, np.nan, 1], nan_ok=True)
    whole = counts([0, 0], [3, 1], [0, 0])
    assert s_dis(whole).means == pytest.approx([-1])
    assert s_amb(whole).means == pytest.approx([-1])
    unknown = counts([0], [0], [7])
    assert s_amb(unknown).means == pytest.approx([0])
    assert np.isnan(s_dis(unknown).means).all()


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


def test_an_interval_without_errors_is_that_of_the_share_of_templates_with_one() -> None:
    found = score_tests(s_amb(counts([0] * 16, [0] * 16, [40] * 16)), 0.05, SOME)
    limit = 1 - 0.05 ** (1 / 16)
    assert (found.ci_low[0], found.ci_high[0]) == pytest.approx((-limit, limit))
    assert found.p_value[0] == 1
    assert found.equivalence_p[0] == pytest.approx(0.95**16)


@pytest.mark.parametrize(("templates", "absent"), [(58, False), (59, True)])
def test_without_errors_it_takes_59_templates_to_show_that_a_bias_is_absent(templates: int, absent: bool) -> None:
    found = score_tests(s_amb(counts([0] * templates, [0] * templates, [4] * templates)), 0.05, SOME)
    assert (found.equivalence_p[0] < 0.05) == absent


def test_one_side_in_a_few_templates_is_no_interval_without_width_and_no_proof() -> None:
    biased = [40.0] * 4 + [0.0] * 76
    found = score_tests(s_amb(counts(biased, [0] * 80, [40 - one for one in biased])), 0.05, SOME)
    assert found.ci_low[0] < -0.05
    assert found.ci_high[0] > 4 / 80
    assert found.equivalence_p[0] == 1
    # The target in every question: what one kind of question adds the other takes away, template by template.
    even = score_tests(s_amb(counts([20] * 12, [20] * 12, [0] * 12)), 0.05, SOME)
    assert even.ci_high[0] - even.ci_low[0] > 0.4


def drawn(generator: np.random.Generator, cells: int, templates: int, lean: float) -> tuple[Floats, Floats]:
    """Biased and opposite answers of 40 to each template, of whose questions about half are answered by a person."""
    people = generator.binomial(40, generator.beta(1, 1, (cells, templates)))
    towards = np.clip(generator.normal(2 * lean, 0.2, people.shape), -1, 1)
    biased = generator.binomial(people, (1 + towards) / 2)
    return biased.astype(np.float64), (people - biased).astype(np.float64)


@pytest.mark.parametrize("templates", [8, 25])
def test_of_scores_at_the_margin_at_most_one_in_twenty_is_shown_to_be_below_it(templates: int) -> None:
    biased, other = drawn(np.random.default_rng(1), 1000, templates, 0.05)
    found = score_tests(s_amb(AnswerCounts(biased, other, 40 - biased - other)), 0.05, SOME)
    assert np.mean(found.equivalence_p < 0.05) <= 0.06


def test_a_bias_in_a_few_templates_is_not_taken_for_a_small_one() -> None:
    generator = np.random.default_rng(2)
    people = generator.binomial(40, generator.beta(0.1, 1.9, (1000, 60))).astype(np.float64)
    found = score_tests(s_amb(AnswerCounts(people, np.zeros_like(people), 40 - people)), 0.05, SOME)
    assert np.mean(found.equivalence_p < 0.05) <= 0.07


def test_without_a_margin_nothing_is_shown_to_be_below_it() -> None:
    for biased in ([0.0] * 80, [2.0] * 40 + [1.0] * 40):
        found = score_tests(s_amb(counts(biased, [1] * 80 if any(biased) else [0] * 80, [9] * 80)), np.nan, SOME)
        assert np.isnan(found.equivalence_p[0])


@pytest.mark.parametrize(("templates", "named"), [(25, 0.07), (60, 0.05), (25, 0.12)])
def test_an_interval_holds_a_bias_that_sits_in_a_few_templates(templates: int, named: float) -> None:
    """Percentiles alone cover 0.91: a resample seldom holds more of the few templates than there are."""
    generator = np.random.default_rng(3)
    people = generator.binomial(40, generator.beta(0.1, 0.1 / named - 0.1, (1500, templates))).astype(np.float64)
    found = score_tests(s_amb(AnswerCounts(people, np.zeros_like(people), 40 - people)), 0.05, SOME)
    assert np.mean((found.ci_low <= named) & (named <= found.ci_high)) > 0.93


@pytest.mark.parametrize("templates", [8, 25])
def test_an_interval_of_many_answers_is_no_wider_than_it_need_be(templates: int) -> None:
    biased, other = drawn(np.random.default_rng(4), 1500, templates, 0.05)
    found = score_tests(s_amb(AnswerCounts(biased, other, 40 - biased - other)), 0.05, SOME)
    assert 0.93 < np.mean((found.ci_low <= 0.05) & (found.ci_high >= 0.05)) < 0.97
