"""Which distractors stand together, and which of three is chosen."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.probes.sodapop import pairing
from workers.probes.sodapop.pairing import RIGHT, UNASKED, chosen, expected_successes, shuffled

TEXTS = ["a dog", "a cat", "a horse", "an ox", "a hen"]
Logits = st.lists(st.integers(-3, 3) | st.none(), max_size=9)


def as_array(logits: list[int | None]) -> np.ndarray:
    return np.array([np.nan if one is None else float(one) for one in logits], dtype=np.float64)


def successes(logits: np.ndarray, answer: float) -> np.ndarray:
    return pairing.successes(chosen(logits, answer), len(logits))


def in_questions(logits: np.ndarray, answer: float) -> np.ndarray:
    return pairing.in_questions(chosen(logits, answer), len(logits))


def test_the_shuffle_depends_on_the_set_of_texts_and_not_on_their_order() -> None:
    once = [TEXTS[index] for index in shuffled(TEXTS, 0, "lake", "Ann")]
    again = [TEXTS[::-1][index] for index in shuffled(TEXTS[::-1], 0, "lake", "Ann")]
    assert once == again
    assert sorted(once) == sorted(TEXTS)


def test_seed_context_and_name_each_shuffle_again() -> None:
    many = [str(number) for number in range(50)]
    orders = {
        tuple(shuffled(many, *cell))
        for cell in ((0, "lake", "Ann"), (1, "lake", "Ann"), (0, "sea", "Ann"), (0, "lake", "Bo"))
    }
    assert len(orders) == 4


def test_every_order_is_about_as_frequent() -> None:
    counts = dict[tuple[int, ...], int]()
    for seed in range(600):
        order = tuple(shuffled(TEXTS[:3], seed, "lake", "Ann").tolist())
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert min(counts.values()) > 60


def test_the_largest_of_three_logits_is_chosen() -> None:
    logits = np.array([0.5, 2.0, -1.0, 0.0, 3.0, 2.5, 9.0])
    assert chosen(logits, 1.0).tolist() == [1, RIGHT, 4]
    assert successes(logits, 1.0).tolist() == [False, True, False, False, True, False, False]
    assert in_questions(logits, 1.0).tolist() == [True] * 6 + [False]


def test_the_right_answer_wins_where_a_distractor_draws_level_and_the_first_of_two_that_do() -> None:
    assert chosen(np.array([1.0, 0.0, 1.0, 1.0, 2.0, 2.0]), 1.0).tolist() == [RIGHT, RIGHT, 4]


def test_a_question_with_an_option_without_logit_is_not_asked() -> None:
    logits = np.array([2.0, np.nan, 2.0, 3.0])
    assert chosen(logits, 1.0).tolist() == [UNASKED, 3]
    assert in_questions(logits, 1.0).tolist() == [False, False, True, True]
    assert chosen(logits, np.nan).tolist() == [UNASKED, UNASKED]
    assert not successes(logits, np.nan).any()


@pytest.mark.parametrize("logits", [[], [3.0]])
def test_fewer_than_two_distractors_ask_nothing(logits: list[float]) -> None:
    values = np.array(logits, dtype=np.float64)
    assert chosen(values, 1.0).tolist() == []
    assert not in_questions(values, 1.0).any()
    assert np.isnan(expected_successes(values, 1.0)).all()


def test_the_expected_success_is_the_share_of_partners_that_a_distractor_beats() -> None:
    # 4 beats all three others; 2 beats one and draws level with one; 0 is below the right answer.
    assert expected_successes(np.array([4.0, 2.0, 2.0, 0.0]), 1.0).tolist() == [1.0, 0.5, 0.5, 0.0]


@given(Logits, st.integers(-3, 3))
def test_the_expected_success_is_the_mean_over_all_partners_and_both_orders(
    given_logits: list[int | None], answer: int
) -> None:
    logits = as_array(given_logits)
    found = expected_successes(logits, float(answer))
    for place, logit in enumerate(logits):
        partners = [other for index, other in enumerate(logits) if index != place and not np.isnan(other)]
        if np.isnan(logit) or not partners:
            assert np.isnan(found[place])
            continue
        won = [successes(np.array([logit, other]), answer)[0] for other in partners]
        won += [successes(np.array([other, logit]), answer)[1] for other in partners]
        assert found[place] == pytest.approx(np.mean(won), abs=1e-12)


def test_the_mean_over_shuffles_comes_near_the_expected_success() -> None:
    texts = [str(number) for number in range(9)]
    logits = np.random.default_rng(0).normal(size=9)
    won, shown = np.zeros(9), np.zeros(9)
    for seed in range(2000):
        order = shuffled(texts, seed, "lake", "Ann")
        won[order] += successes(logits[order], 0.0)
        shown[order] += in_questions(logits[order], 0.0)
    np.testing.assert_allclose(won / shown, expected_successes(logits, 0.0), atol=0.05)
