"""The agreement of people about the same answers, against another implementation and worked by hand."""

import krippendorff
import numpy as np
import pytest

from plumbline.findings.answers.reliability import LEAST_ANSWERS, alpha


def test_two_people_who_differ_once_by_hand() -> None:
    """Pairs A A, A A, B B, A B: 2 of 8 values differ, and by chance 2 * 5 * 3 / 7 do: alpha = 1 - 2 * 7 / 30."""
    found = alpha([["A", "A"], ["A", "A"], ["B", "B"], ["A", "B"]])
    assert found is not None
    assert found.value == pytest.approx(1 - 14 / 30)
    assert (found.answers, found.low) == (4, None)


@pytest.mark.parametrize("seed", range(5))
def test_alpha_is_that_of_the_package_also_where_not_everybody_judged_everything(seed: int) -> None:
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, 40)
    table = np.where(random.random((4, 40)) < 0.7, truth, random.integers(0, 3, (4, 40))).astype(float)
    table[random.random((4, 40)) < 0.3] = np.nan
    expected = krippendorff.alpha(reliability_data=table, level_of_measurement="nominal")
    found = alpha([[value for value in column if not np.isnan(value)] for column in table.T])
    assert found is not None
    assert found.value == pytest.approx(expected)
    assert found.low is not None
    assert found.high is not None
    assert -1 <= found.low < found.value < found.high <= 1


def test_without_two_people_or_without_a_difference_there_is_nothing_to_explain() -> None:
    assert alpha([]) is alpha([["A"], ["B"]]) is alpha([["A", "A"], ["A", "A"]]) is None


def test_full_agreement_is_not_certain() -> None:
    """None of 14 is disputed: (1 - p)^14 = 0.025, p = 0.23164. By chance 2 * 14 * 14 / (28 * 27) = 0.51852 differ."""
    found = alpha([["A", "A"], ["B", "B"]] * LEAST_ANSWERS)
    assert found is not None
    assert (found.value, found.low, found.high) == pytest.approx((1.0, 1 - 0.23164 / 0.51852, 1.0), abs=1e-4)


def test_one_disputed_answer_of_ten_says_little() -> None:
    """The exact upper limit of 1 of 10 is 0.44502: 1 - alpha is then 4.4502 times as large."""
    found = alpha([["A", "A"], ["B", "B"], ["A", "A"]] * 3 + [["A", "B"]])
    assert found is not None
    assert found.low == pytest.approx(1 - (1 - found.value) * 4.4502, abs=1e-4)


def test_more_answers_narrow_the_interval_of_the_same_agreement() -> None:
    said = [["A", "A"], ["B", "B"], ["A", "B"], ["B", "B"]]
    few, many = alpha(said * 2), alpha(said * 20)
    assert few is not None
    assert many is not None
    assert few.low is not None
    assert many.low is not None
    assert few.low < many.low < many.value
