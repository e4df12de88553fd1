"""Which texts have a word in them: as the tallies count it."""

import pytest

from plumbline.pages.word_search import has_word
from workers.probes.sodapop.words import words_of

TEXTS = [
    "a sweet guest", "Sweet, guest!", "(sweet)", "sweetness", "bittersweet", "bitter-sweet", "sweet-toothed",
    "the sweet's gone", "the sweets' jar", "o'sweet", "sweet'n", "sweet_talk", "sweet2", "", "sweet", "- sweet -",
]  # fmt: skip


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("word", ["sweet", "Sweet", "sweets", "bitter-sweet"])
def test_a_word_is_in_a_text_where_the_tally_counts_it(text: str, word: str) -> None:
    assert has_word(text, word) == (word in words_of(text))


def test_signs_in_a_word_mean_themselves() -> None:
    assert not has_word("abc", "a.c")
    assert has_word("a a.c b", "a.c")
