"""Words that are made of a group's own word, by hand."""

import pytest

from plumbline.spec.grammar import Word
from plumbline.spec.group_in_word import group_in_word

GROUPS = {
    "men": Word("men", "man", "men"),
    "women": Word("women", "woman", "women"),
    "nurses": Word("nurses", "nurse", "nurses"),
    "Asian people": Word("Asian people", "Asian", "Asians"),
    "teenagers": Word("teenagers"),
}


@pytest.mark.parametrize(
    ("singular", "plural", "named"),
    [
        ("fireman", "firemen", "men"),
        ("Fireman", "Firemen", "men"),
        ("firewoman", "firewomen", "women"),
        ("woman", "women", "women"),
        ("male nurse", "male nurses", "nurses"),
        ("German", "Germans", None),
        ("Caucasian", "Caucasians", None),
        ("specimen", "specimens", None),
        ("soldier", "soldiers", None),
    ],
)
def test_a_word_names_the_group_whose_own_word_it_is_made_of(singular: str, plural: str, named: str | None) -> None:
    assert group_in_word(Word(plural, singular, plural), GROUPS) == named


def test_the_case_of_a_groups_word_does_not_matter() -> None:
    groups = {"men": Word("men", "Man", "Men")}
    assert [group_in_word(Word(text, text), groups) for text in ("Policemen", "German")] == ["men", None]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("policemen", "men"),
        ("policewomen", "women"),
        ("policewoman", "women"),
        ("wet-nurses", "nurses"),
        ("German", None),
        ("specimen", None),
        ("Yemen", None),
        ("Caucasians", None),
        ("teenagers", None),  # this group has no forms
        ("", None),
    ],
)
def test_of_a_word_with_one_form_that_form_counts(text: str, named: str | None) -> None:
    assert group_in_word(Word(text, text), GROUPS) == named
