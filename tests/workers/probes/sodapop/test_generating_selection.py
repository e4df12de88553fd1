"""What is dropped, what is drawn, and the distances and log probabilities that remain."""

import pytest

from workers.probes.sodapop.generating_selection import NOT_DRAWN, PUNCTUATION, RIGHT_ANSWER, select_distractors
from workers.probes.sodapop.generating_words import Start, Words

START = Start("Amanda is", ("very", "kind", "."), (False, False, True))


def test_each_text_has_its_distance_and_log_probability_in_order_of_the_texts() -> None:
    found = select_distractors(START, {("very", "sad", "."): -1.5, ("a", "sad", "man"): -4.0}, None, 0, "")
    assert found.texts == ["a sad man", "very sad."]
    assert found.distances == [3, 1]
    assert found.log_p == [-4.0, -1.5]
    assert not found.dropped


def test_the_right_answer_is_dropped_whatever_its_case_spaces_and_punctuation() -> None:
    same = [("very", "kind", "."), ("Very", "kind", "."), ("very", "kind", "!"), ("very", "KIND", ",")]
    found = select_distractors(START, {**dict.fromkeys(same, -1.0), ("very", "kinder", "."): -2.0}, None, 0, "")
    assert found.texts == ["very kinder."]
    assert found.dropped == {RIGHT_ANSWER: 4}


@pytest.mark.parametrize("text", [(".", ",", "."), ("_", "--", "."), ('"', "''", "…")])
def test_texts_of_punctuation_alone_are_dropped(text: tuple[str, ...]) -> None:
    found = select_distractors(START, {text: -1.0, (".", "5", "."): -2.0}, None, 0, "")
    assert found.texts == [". 5."]
    assert found.dropped == {PUNCTUATION: 1}


def test_ways_of_writing_one_text_count_once_with_the_likeliest() -> None:
    start = Start("it is", ("ab", "c"), (False, False))
    found = select_distractors(start, {("x y", "c"): -3.0, ("x", "y c"): -2.0}, None, 0, "")
    assert (found.texts, found.distances, found.log_p) == (["x y c"], [1], [-2.0])


MANY: dict[Words, float] = {(f"w{number}", "x", "y"): -float(number) for number in range(50)}


def test_the_cap_draws_by_the_seed_and_the_cell_and_not_by_the_order() -> None:
    found = select_distractors(START, MANY, 10, 1, "one cell")
    assert len(found.texts) == 10
    assert found.texts == sorted(found.texts)
    assert found.log_p == [-float(text.split()[0][1:]) for text in found.texts]
    assert found.dropped == {NOT_DRAWN: 40}
    assert found == select_distractors(START, dict(reversed(MANY.items())), 10, 1, "one cell")
    assert found.texts != select_distractors(START, MANY, 10, 2, "one cell").texts
    assert found.texts != select_distractors(START, MANY, 10, 1, "another cell").texts


def test_every_distractor_can_be_drawn() -> None:
    drawn = {text for seed in range(100) for text in select_distractors(START, MANY, 10, seed, "").texts}
    assert len(drawn) == len(MANY)


def test_without_a_cap_or_under_it_all_are_kept() -> None:
    assert (
        len(select_distractors(START, MANY, None, 0, "").texts)
        == len(select_distractors(START, MANY, 50, 0, "").texts)
        == len(MANY)
    )
