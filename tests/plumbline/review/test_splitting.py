import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.review.splitting import FEWEST, compare, describe, q_values

COUNTS = st.lists(st.integers(1, 9), min_size=FEWEST, max_size=20)


def test_a_part_worked_by_hand() -> None:
    """1, 1, 2, 4: mean 2, standard deviation sqrt(2), and t(3 degrees of freedom, 97.5%) is 3.18245."""
    part = describe("women", [1, 1, 2, 4])
    assert (part.n, part.mean, part.single, part.single_share) == (4, 2.0, 2, 0.5)
    reach = 3.182446 * math.sqrt(2) / 2
    assert part.ci_low == pytest.approx(2 - reach, abs=1e-5)
    assert part.ci_high == pytest.approx(2 + reach, abs=1e-5)


def test_one_word_has_no_interval() -> None:
    part = describe("women", [3])
    assert (part.mean, part.ci_low, part.ci_high) == (3.0, None, None)


def test_a_difference_worked_by_hand() -> None:
    """1 1 1 1 1 against 2 2 2 2 2: rank sums 15 and 40, H = 12/110 (45 + 320) - 33 = 6.81818, over 0.75757 for the
    ties is 9: chi squared with one degree of freedom beyond 9 has p = 0.0026998."""
    found = compare({"a": [1] * 5, "b": [2] * 5})
    assert found is not None
    assert found.n == 10
    assert found.epsilon_squared == pytest.approx(1.0)
    assert found.p_value == pytest.approx(0.0026998, abs=1e-7)


def test_words_that_are_all_alike_do_not_differ() -> None:
    found = compare({"a": [1] * 5, "b": [1] * 6})
    assert found is not None
    assert (found.epsilon_squared, found.p_value, found.n) == (0.0, 1.0, 11)


def test_parts_of_few_words_are_left_out_of_the_test() -> None:
    assert compare({"a": [1] * 5, "b": [2] * (FEWEST - 1)}) is None
    found = compare({"a": [1] * 5, "b": [2] * 5, "c": [9]})
    assert found is not None
    assert found.n == 10
    assert compare({}) is None


@given(COUNTS, COUNTS)
def test_the_order_of_the_parts_does_not_matter(first: list[int], second: list[int]) -> None:
    one, other = compare({"a": first, "b": second}), compare({"a": second, "b": first})
    assert one is not None
    assert other is not None
    assert one.p_value == pytest.approx(other.p_value)
    assert -1e-9 <= one.epsilon_squared <= 1 + 1e-9


def test_q_values_of_benjamini_and_hochberg() -> None:
    """The largest of k / rank * p from there on: 0.01 * 3, then 0.04 * 3 / 3 for both others."""
    assert q_values([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.04, 0.04])
    assert q_values([]) == []
