"""Whether a person's answers count."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plumbline.annotation.survey.quality import NONE, faults_of, is_fast, leans, offered, self_agreement

PAIRS = (("cold", "warm"), ("weak", "strong"), ("old", "new"))


@pytest.mark.parametrize(
    ("word", "right", "told"),
    [
        *(("warm", True, True), ("strong", True, False), ("new", True, False), (NONE, True, False)),
        *(("weak", False, True), ("cold", False, False), (NONE, False, False)),
    ],
)
def test_a_word_is_right_if_its_slider_leans_to_it(word: str, right: bool, told: bool) -> None:
    assert leans([80, 20, 50], PAIRS, word, right=right) is told


def test_no_word_of_a_side_is_right_if_no_slider_leans_there() -> None:
    assert leans([50, 20, 50], PAIRS, NONE, right=True)
    assert leans([50, 80, 50], PAIRS, NONE, right=False)


@given(st.lists(st.integers(0, 100), min_size=6, max_size=16), st.booleans(), st.integers(0, 99))
def test_the_words_to_choose_from_hold_one_right_one_if_there_is_any(
    ratings: list[int], right: bool, seed: int
) -> None:
    pairs = [(f"left {number}", f"right {number}") for number in range(len(ratings))]
    words = offered(ratings, pairs, right=right, seed=seed)
    leaning = [word for word in words if leans(ratings, pairs, word, right=right)]
    assert len(leaning) == (0 if leans(ratings, pairs, NONE, right=right) else 1)
    assert len(set(words)) == len(words) <= 4
    if leaning:
        far = [rating if right else 100 - rating for rating in ratings]
        assert leaning == [pairs[far.index(max(far))][right]]


def test_ratings_agree_within_the_tolerance() -> None:
    assert self_agreement([0, 50, 100, 10], [20, 29, 80, 10], 20) == 0.75


def test_answers_count_with_right_checks_and_enough_agreement() -> None:
    assert faults_of({"name_check": True, "word_check": True}, 0.8, [[1, 2], [3, 4]], 0.8, [(30, 16), (20, 16)]) == []


def test_each_fault_is_named() -> None:
    checks = {"name_check": False, "word_check": False}
    assert faults_of(checks, 0.7, [[1, 1], [1, 1]], 0.8, [(9, 16)]) == [*checks, "agreement", "constant", "fast"]
    assert faults_of({"name_check": True}, None, [], 0.8, []) == ["nothing"]


def test_a_constant_rater_agrees_with_oneself_and_does_not_count() -> None:
    assert faults_of({}, 1.0, [[50, 50], [50, 50]], 0.8, [(60, 16)]) == ["constant"]


@pytest.mark.parametrize(
    ("times", "fast"),
    [
        ([(15, 16)], True),
        ([(16, 16)], False),
        ([(2, 16), (40, 16), (40, 16)], False),  # one quick page says nothing
        ([(2, 16), (2, 16), (400, 16)], True),  # and neither does one pause
        ([], False),
    ],
)
def test_less_than_a_second_a_pair_in_the_median_is_too_fast(times: list[tuple[int, int]], fast: bool) -> None:
    assert is_fast(times) is fast
