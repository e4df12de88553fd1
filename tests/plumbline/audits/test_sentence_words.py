"""Sentences put together again, in pieces."""

from plumbline.spec.grammar import Word
from plumbline.spec.sentences import Piece, Words

WORDS = Words({"women": Word("women", "woman", "women")}, {"warm": Word("warm", "warm", "")}, ())


def test_the_words_of_the_slots_are_marked_and_the_rest_is_the_templates() -> None:
    assert WORDS.sentence("{Group.plural} are {attribute}.", "women", "warm") == [
        Piece("Women", "group"),
        Piece(" are "),
        Piece("warm", "attribute"),
        Piece("."),
    ]


def test_a_word_that_is_not_known_leaves_the_template() -> None:
    template = "All {group.plural} are {attribute.plural}."
    assert WORDS.sentence(template, "men", "warm") == [Piece(template)]
    assert WORDS.sentence(template, "women", "warm") == [Piece(template)]
