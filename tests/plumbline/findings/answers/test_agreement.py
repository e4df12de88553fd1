"""The agreement of a parser and people, by figures worked by hand and by another implementation."""

from itertools import product
from math import comb

import pytest

from plumbline.findings.answers.agreement import ClassAgreement, is_confirmed, overall, unjudged


def test_each_class_weighs_as_much_as_it_has_answers() -> None:
    """90% of the answers are confirmed in 10 of 10, 10% in 5 of 10: 0.95, not the 0.75 of all judged answers.

    Two classes: each at 97.5%. 10 of 10: p^10 = 0.0125, p = 0.64519. 5 of 10: five or more
    have the chance 0.0125 at p = 0.15850. Limits: 0.9 * 0.64519 + 0.1 * 0.15850 = 0.59652 and
    0.9 + 0.1 * 0.84150 = 0.98415.
    """
    found = overall([ClassAgreement("option", 900, 10, 10), ClassAgreement("refusal", 100, 10, 5)])
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((0.95, 0.59652, 0.98415), abs=1e-5)


def test_one_class_alone_has_its_own_interval() -> None:
    (only,) = classes = [ClassAgreement("option", 50, 10, 9)]
    found, own = overall(classes), only.share
    assert found is not None
    assert own is not None
    assert (found.value, found.low, found.high) == pytest.approx((own.value, own.low, own.high))


def test_full_agreement_is_not_certain() -> None:
    """Each class at 97.5%: p^20 = 0.0125, p = 0.80324."""
    found = overall([ClassAgreement("option", 900, 20, 20), ClassAgreement("refusal", 100, 20, 20)])
    assert found is not None
    assert found.value == found.high == 1.0
    assert found.low == pytest.approx(0.80324, abs=1e-5)


@pytest.mark.parametrize("answers", [(900, 100), (500, 500), (990, 10)], ids=str)
@pytest.mark.parametrize("judged", [(20, 20), (20, 3)], ids=str)
def test_the_interval_covers_what_it_claims_however_good_the_parser_is(
    answers: tuple[int, int], judged: tuple[int, int]
) -> None:
    """By all outcomes: the chance that the true agreement lies within the limits."""
    every = list(product(range(judged[0] + 1), range(judged[1] + 1)))
    limits = {
        agree: overall([ClassAgreement("", *one) for one in zip(answers, judged, agree, strict=True)])
        for agree in every
    }
    for true in product([0.5, 0.9, 0.97, 0.98, 0.992, 1.0], [0.3, 0.9, 0.95, 0.99]):
        whole = sum(part * share for part, share in zip(answers, true, strict=True)) / sum(answers)
        chance = sum(
            _chance(agree, judged, true)
            for agree, one in limits.items()
            if one is not None and one.low - 1e-12 <= whole <= one.high + 1e-12
        )
        assert chance >= 0.95


def _chance(agree: tuple[int, ...], judged: tuple[int, ...], true: tuple[float, ...]) -> float:
    """Of independent binomial numbers."""
    found = 1.0
    for k, n, share in zip(agree, judged, true, strict=True):
        found *= comb(n, k) * share**k * (1 - share) ** (n - k)
    return found


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
