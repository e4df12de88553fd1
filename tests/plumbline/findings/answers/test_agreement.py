"""The agreement of a parser and people, by figures worked by hand and by another implementation."""

import pytest
from statsmodels.stats.proportion import proportion_confint

from plumbline.findings.answers.agreement import ClassAgreement, is_confirmed, overall, unjudged, wilson


@pytest.mark.parametrize(("agree", "n"), [(0, 1), (1, 1), (9, 10), (20, 20), (0, 7), (180, 200)])
def test_the_interval_of_a_class_is_wilsons(agree: int, n: int) -> None:
    found = wilson(agree, n)
    assert found.value == agree / n
    assert (found.low, found.high) == pytest.approx(proportion_confint(agree, n, method="wilson"), abs=1e-12)
    assert found.low <= found.value <= found.high


def test_nine_of_ten_by_hand() -> None:
    """z^2 = 3.8415: middle (0.9 + 0.19207) / 1.38415 = 0.78898, half sqrt(3.8415 (0.009 + 0.0096036)) / 1.38415."""
    found = wilson(9, 10)
    assert (found.low, found.high) == pytest.approx((0.59585, 0.98212), abs=1e-5)


def test_each_class_weighs_as_much_as_it_has_answers() -> None:
    """90% of the answers are confirmed in 10 of 10, 10% in 5 of 10: 0.95, not the 0.75 of all judged answers.

    Wilson: [0.72247, 1] and [0.23659, 0.76341]. Below: sqrt((0.9 * 0.27753)^2 + (0.1 * 0.26341)^2) = 0.25116.
    Above: 0.1 * 0.26341 = 0.026341.
    """
    found = overall([ClassAgreement("option", 900, 10, 10), ClassAgreement("refusal", 100, 10, 5)])
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((0.95, 0.69884, 0.976341), abs=1e-5)


def test_one_class_alone_has_its_own_interval() -> None:
    (only,) = classes = [ClassAgreement("option", 50, 10, 9)]
    found, own = overall(classes), only.share
    assert found is not None
    assert own is not None
    assert (found.value, found.low, found.high) == pytest.approx((own.value, own.low, own.high))


def test_full_agreement_is_not_certain() -> None:
    """Wilson's lower limit of 20 of 20 is 20 / 23.8415 = 0.83887. Below: 0.16113 sqrt(0.9^2 + 0.1^2) = 0.14591."""
    found = overall([ClassAgreement("option", 900, 20, 20), ClassAgreement("refusal", 100, 20, 20)])
    assert found is not None
    assert found.value == found.high == 1.0
    assert found.low == pytest.approx(0.85409, abs=1e-5)


def test_without_a_judged_answer_of_each_class_there_is_no_figure() -> None:
    classes = [ClassAgreement("option", 900, 10, 10), ClassAgreement("empty", 3, 0, 0)]
    assert overall(classes) is None
    assert unjudged(classes) == ["empty"]
    assert overall([]) is None


def test_a_class_without_answers_is_not_missed() -> None:
    classes = [ClassAgreement("option", 900, 10, 10), ClassAgreement("empty", 0, 0, 0)]
    assert overall(classes) is not None
    assert unjudged(classes) == []


@pytest.mark.parametrize(
    ("confirming", "judges", "expected"), [(1, 1, True), (0, 1, False), (1, 2, False), (2, 3, True), (2, 4, False)]
)
def test_most_judges_of_an_answer_decide(confirming: int, judges: int, expected: bool) -> None:
    assert is_confirmed(confirming, judges) == expected
