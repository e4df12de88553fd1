"""Which words are said to name a group, or to be spelled like its name."""

import pytest

from plumbline.findings.word_reasons import word_reasons, words_with_reasons
from plumbline.spec.grammar import Word
from plumbline.spec.measure import Measure
from plumbline.spec.sentences import Words

WORDS = Words(
    groups={
        "men": Word("men", "man", "men"),
        "women": Word("women", "woman", "women"),
        "autistic people": Word("autistic people", "autistic person", "autistic people"),
    },
    attributes={word: Word(word, word) for word in ("policemen", "masculine", "egotistic", "people", "warm")},
    templates=(),
)


def on(attribute: str, groups: tuple[str, str]) -> Measure:
    return Measure(
        statistic="ilps_difference",
        group_a=groups[0],
        group_b=groups[1],
        attribute=attribute,
        unit="",
        n=1,
        n_units=1,
        value=1.0,
    )


@pytest.mark.parametrize(
    ("word", "groups", "told"),
    [
        ("policemen", ("women", "men"), "“policemen” is made of a word for men."),
        ("masculine", ("women", "men"), "“masculine” names a gender by definition."),
        ("masculine", ("women", "(other groups)"), "“masculine” names a gender by definition."),
        ("masculine", ("autistic people", "(other groups)"), ""),
        ("egotistic", ("women", "autistic people"), "share the letters “tistic”. A model may link words"),
        ("egotistic", ("women", "men"), ""),
        ("people", ("women", "autistic people"), ""),
        ("warm", ("women", "men"), ""),
        ("unknown", ("women", "men"), ""),
    ],
)
def test_a_word_has_a_reason_where_it_names_a_group_or_is_spelled_like_one(
    word: str, groups: tuple[str, str], told: str
) -> None:
    found = " ".join(word_reasons(WORDS, groups, word))
    assert told in found
    assert bool(found) is bool(told)


def test_the_words_of_a_table_are_named_once_in_one_sentence() -> None:
    rows = [on(word, ("women", "men")) for word in ("warm", "policemen", "policemen")]
    assert words_with_reasons(WORDS, rows) == (
        "“policemen” names a group or a gender, or is spelled like its name, which is no stereotype by itself."
    )
    two = [*rows, on("egotistic", ("men", "autistic people"))]
    assert words_with_reasons(WORDS, two).startswith(
        "“policemen”, “egotistic” name a group or a gender, or are spelled like"
    )
    assert words_with_reasons(WORDS, rows[:1]) == ""
