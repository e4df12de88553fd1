"""Words that are made of a group's own word, by hand."""

import pytest

from plumbline.spec.grammar import Word
from plumbline.spec.group_in_word import group_in_word

GROUPS = {
    "men": Word("men", "man", "men"),
    "women": Word("women", "woman", "women"),
    "nurses": Word("nurses", "", "nurses"),
}


@pytest.mark.parametrize(
    ("singular", "plural", "named"),
    [
        ("fireman", "firemen", "men"),
        ("Fireman", "Firemen", "men"),
        ("firewoman", "firewomen", "women"),
        ("woman", "women", "women"),
        ("nurse", "nurses", None),  # this group has no singular, so the word's ending could be chance
        ("specimen", "specimens", None),
        ("German", "Germans", None),
        ("soldier", "soldiers", None),
        ("", "firemen", None),
        ("", "", None),
    ],
)
def test_a_word_names_the_group_with_whose_forms_it_ends(singular: str, plural: str, named: str | None) -> None:
    assert group_in_word(Word(plural, singular, plural), GROUPS) == named
