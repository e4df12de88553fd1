import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy import stats

from workers.statistics import tokenization_bias
from workers.statistics.tokenization_bias import Correlation, Difference, mean_interval, p_of_agreement

FEWEST, FEWEST_PAIRS = 5, 10
COUNTS = st.lists(st.integers(1, 9), min_size=FEWEST, max_size=20)


def compare(figures: Mapping[str, Sequence[float]]) -> Difference | None:
    return tokenization_bias.compare(figures, FEWEST)


def correlate(one: Sequence[float], other: Sequence[float]) -> Correlation | None:
    return tokenization_bias.correlate(one, other, FEWEST_PAIRS)


def test_an_interval_worked_by_hand() -> None:
    """1, 1, 2, 4: mean 2, standard deviation sqrt(2), and t(3 degrees of freedom, 97.5%) is 3.18245."""
    reach = 3.182446 * math.sqrt(2) / 2
    assert mean_interval([1, 1, 2, 4]) == pytest.approx((2 - reach, 2 + reach), abs=1e-5)


@pytest.mark.parametrize("values", [[3], [2, 2, 2]])
def test_one_word_and_words_all_alike_have_no_interval(values: list[int]) -> None:
    assert mean_interval(values) is None


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


def test_a_correlation_worked_by_hand() -> None:
    """Ranks 1 to 10 against 2 1 4 3 6 5 8 7 10 9: ten squared differences of 1, rho = 1 - 6 * 10 / 990 = 0.93939.

    t = rho sqrt(8 / (1 - rho^2)) = 7.7504, whose p with 8 degrees of freedom is 5.48e-5; atanh(rho) = 1.7329, its
    standard error sqrt((1 + rho^2 / 2) / 7) = 0.4538: tanh of 1.7329 -+ 1.95996 * 0.4538.
    """
    found = correlate(range(10), [1, 0, 3, 2, 5, 4, 7, 6, 9, 8])
    assert found is not None
    assert found.n == 10
    assert found.rho == pytest.approx(0.9393939)
    assert found.p_value == pytest.approx(5.484e-5, rel=1e-3)
    assert found.ci_low == pytest.approx(math.tanh(1.73294 - 1.959964 * 0.45382), abs=1e-4)
    assert found.ci_high == pytest.approx(math.tanh(1.73294 + 1.959964 * 0.45382), abs=1e-4)


@pytest.mark.parametrize("sign", [1, -1])
def test_ranks_that_agree_wholly_have_the_p_of_their_permutations_and_no_interval(sign: int) -> None:
    found = correlate(range(10), [sign * number**3 for number in range(10)])
    assert found is not None
    assert (found.ci_low, found.ci_high, found.n) == (None, None, 10)
    assert found.rho == pytest.approx(sign)
    assert found.p_value == pytest.approx(2 / 3628800)


@pytest.mark.parametrize(
    ("one", "other", "p"),
    [
        ([5.0] * 9 + [1.0], [1] * 9 + [2], Fraction(1, 10)),
        ([5.0] * 5 + [1.0] * 5, [2] * 5 + [1] * 5, Fraction(2, 252)),
        ([5.0] * 5 + [1.0] * 5, [1] * 5 + [2] * 5, Fraction(2, 252)),
        ([1.0] * 2 + [2.0] * 3 + [3.0] * 5, [4] * 2 + [5] * 3 + [6] * 5, Fraction(1, 2520)),
    ],
)
def test_where_there_are_ties_fewer_orders_differ(one: list[float], other: list[int], p: Fraction) -> None:
    """The nine alike and the one stand together in one order of ten; five and five in 2 of 252, the turned one, too."""
    found = correlate(one, other)
    assert found is not None
    assert (found.ci_low, found.ci_high) == (None, None)
    assert found.p_value == pytest.approx(float(p))


@given(st.lists(st.integers(1, 4), min_size=2, max_size=6).filter(lambda values: len(set(values)) > 1))
@example([1, 1, 2, 3, 3])
@example([1, 2, 2, 2, 2, 3])
@example([1, 1, 2, 3, 4, 4])
def test_the_p_of_whole_agreement_is_that_of_all_orders_counted(values: list[int]) -> None:
    ranks = stats.rankdata(values)
    orders = np.array(list(permutations(ranks)))
    rho = (orders - ranks.mean()) @ (ranks - ranks.mean()) / np.sum((ranks - ranks.mean()) ** 2)
    assert p_of_agreement(values) == pytest.approx(np.mean(np.abs(rho) > 1 - 1e-9))


def test_the_p_of_very_many_words_is_small_but_not_zero() -> None:
    assert 0 < p_of_agreement(range(5000)) < 1e-300
    assert p_of_agreement([1] * 4999 + [2]) == pytest.approx(1 / 5000)


def test_few_words_and_words_all_alike_are_not_correlated() -> None:
    few = range(FEWEST_PAIRS - 1)
    assert correlate(few, few) is None
    assert correlate(range(20), [1] * 20) is None
    assert correlate([0.5] * 20, range(20)) is None


@given(st.lists(st.tuples(st.floats(0, 1e6), st.integers(1, 9)), min_size=FEWEST_PAIRS, max_size=30))
def test_a_correlation_lies_in_its_interval_and_turns_with_the_sign(pairs: list[tuple[float, int]]) -> None:
    frequencies, subwords = [one for one, _ in pairs], [other for _, other in pairs]
    found, turned = correlate(frequencies, subwords), correlate([-one for one in frequencies], subwords)
    assert (found is None) == (turned is None)
    if found and turned:
        assert turned.rho == pytest.approx(-found.rho)
        assert turned.p_value == pytest.approx(found.p_value)
        assert 0 < found.p_value <= 1
        if found.ci_low is not None and found.ci_high is not None:
            assert -1 <= found.ci_low <= found.rho <= found.ci_high <= 1
