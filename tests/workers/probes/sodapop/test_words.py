"""The words of a distractor, as equation 1 counts them."""

import pytest

from workers.probes.sodapop.words import STOP_WORDS, is_stop_word, tokens_of, words_of


def test_a_distractor_counts_once_per_word() -> None:
    assert words_of("a very very funny friend") == {"a", "very", "funny", "friend"}
    assert tokens_of("a very very funny friend") == ("a", "very", "very", "funny", "friend")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("kind, and (rather) brave!", {"kind", "and", "rather", "brave"}),
        ("Kind kind", {"Kind", "kind"}),
        ("well-read - not dumb", {"well-read", "not", "dumb"}),
        ("Bethany's friend isn't here", {"Bethany", "friend", "is", "here"}),
        ("they’ll see 2 naïve men", {"they", "see", "2", "naïve", "men"}),
        ("... _ '' –", set()),
    ],
)
def test_words_keep_case_and_inner_hyphens_and_lose_punctuation_and_clitics(text: str, words: set[str]) -> None:
    assert words_of(text) == words


def test_stop_words_are_found_in_any_case_and_traits_are_none() -> None:
    assert is_stop_word("The")
    assert not any(map(is_stop_word, ("sincere", "serious", "alone", "person")))
    assert len(STOP_WORDS) == 153
