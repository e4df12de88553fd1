"""Words of the distractors of one name in one context, by hand."""

from collections import Counter, defaultdict

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from workers.probes.sodapop.pairing import RIGHT, UNASKED, Outcomes, expected_successes, in_questions, successes
from workers.probes.sodapop.tallies import tally
from workers.probes.sodapop.words import words_of


def test_a_distractor_counts_once_for_each_of_its_words() -> None:
    texts = ["a cruel man", "a kind man", "cruel, cruel girl", "a kind girl", "a cruel girl"]
    found = tally(texts, Outcomes.of_scores(np.array([2.0, 1.0, 3.0, 4.0, 9.0]), 0.0), words_of)
    rows = list(zip(found.words, found.shown.tolist(), found.chosen.tolist(), strict=True))
    # "a cruel girl" is the odd last one; the first of the first pair is chosen, and the second of the second.
    assert rows == [("a", 3, 2), ("cruel", 2, 1), ("girl", 2, 1), ("kind", 2, 1), ("man", 2, 1)]
    # Beside one of the other four, the last among them, the texts win with 1/4, 0, 2/4 and 3/4.
    assert dict(zip(found.words, found.expected.tolist(), strict=True)) == {
        "a": 1.0,
        "cruel": 0.75,
        "girl": 1.25,
        "kind": 0.75,
        "man": 0.25,
    }


def test_case_is_kept_and_what_is_next_to_an_option_without_logit_is_not_counted() -> None:
    found = tally(["Mean", "mean", "old", "new"], Outcomes.of_scores(np.array([1.0, 2.0, np.nan, 3.0]), 0.0), words_of)
    assert (found.words, found.shown.tolist(), found.chosen.tolist()) == (["Mean", "mean"], [1, 1], [0, 1])


def test_a_question_whose_answer_names_no_option_counts_for_no_word_and_the_partner_of_a_choice_is_not_known() -> None:
    texts = ["cruel", "kind", "cruel man", "old", "cruel"]
    found = tally(texts, Outcomes.of_text(np.array([0, UNASKED]), len(texts)), words_of)
    assert (found.words, found.shown.tolist(), found.chosen.tolist()) == (["cruel", "kind"], [1, 1], [1, 0])
    assert found.expected.tolist() == [1.0, 0.0]
    assert tally(texts, Outcomes.of_text(np.array([RIGHT, 3]), 5), words_of).chosen.tolist() == [0, 0, 0, 1]


def test_without_questions_there_are_no_words() -> None:
    for texts, answer in (([], 0.0), (["old"], 0.0), (["old", "new"], np.nan)):
        found = tally(texts, Outcomes.of_scores(np.ones(len(texts)), answer), words_of)
        assert (found.words, found.shown.size, found.chosen.size, found.expected.size) == ([], 0, 0, 0)


@given(st.lists(st.tuples(st.text("ab ", max_size=5), st.integers(-2, 2)), max_size=12))
def test_tallies_are_those_of_counting_text_by_text(options: list[tuple[str, int]]) -> None:
    texts = [text for text, _ in options]
    logits = np.array([logit for _, logit in options], dtype=np.float64)
    shown, won = Counter[str](), Counter[str]()
    expected = defaultdict[str, float](float)
    outcomes = Outcomes.of_scores(logits, 0.0)
    for place, text in enumerate(texts):
        for word in words_of(text) if in_questions(outcomes.choices, len(texts))[place] else ():
            shown[word] += 1
            won[word] += int(successes(outcomes.choices, len(texts))[place])
            expected[word] += expected_successes(logits, 0.0)[place]
    found = tally(texts, outcomes, words_of)
    assert dict(zip(found.words, found.shown.tolist(), strict=True)) == dict(shown)
    assert dict(zip(found.words, found.chosen.tolist(), strict=True)) == {word: won[word] for word in shown}
    np.testing.assert_allclose(found.expected, [expected[word] for word in found.words], atol=1e-12)
