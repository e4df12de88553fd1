"""The sentence of a set of words says no more than its verdict."""

from dataclasses import asdict, replace

import pytest

from plumbline.methods.association.preference_findings import OVER_KINDS, of_preference, preference_sentence
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.measure import Measure

SET = Measure(
    "attribute_preference", "word", 40, 20, 0.7, group_a="women", group_b="men", category="traits", smallest_effect=0.1
)


@pytest.mark.parametrize(
    ("verdict", "value", "sentence"),
    [
        (
            "present",
            0.7,
            f"m links most of traits more strongly to women than to men, {OVER_KINDS}.",
        ),
        (
            "present",
            0.2,
            f"m links most of traits more strongly to men than to women, {OVER_KINDS}.",
        ),
        (
            "absent",
            0.52,
            f"m links about half of traits more strongly to women and half to men, {OVER_KINDS}:"
            " the share is shown to be within 0.1 of one half.",
        ),
        (
            "not testable",
            0.2,
            f"In these sentences m links 20% of traits more strongly to women than to men, {OVER_KINDS}."
            " 20 words are too few to say more.",
        ),
        (
            "undecided",
            0.7,
            f"It is undecided whether m links most of traits more strongly to women or to men, {OVER_KINDS}.",
        ),
    ],
)
def test_each_verdict_has_its_sentence(verdict: str, value: float, sentence: str) -> None:
    assert preference_sentence("m", replace(SET, verdict=verdict, value=value)) == sentence


@pytest.mark.parametrize("verdict", ["present", "absent", "not testable", "undecided"])
def test_a_mean_over_kinds_of_sentence_is_called_no_share_of_the_words(verdict: str) -> None:
    """0.38 of the words in one kind and 0.75 in another are 56%, while 75% of the words lean so over both."""
    sentence = preference_sentence("m", replace(SET, verdict=verdict, value=0.5625))
    assert "of the words" not in sentence
    assert "on average over word families and kinds of sentence" in sentence


def test_words_without_a_list_are_those_of_the_list() -> None:
    assert "most of the list more strongly" in preference_sentence("m", replace(SET, verdict="present", category=""))


def test_the_share_of_a_set_stands_beside_that_of_neutral_words(db: None) -> None:
    """A constant that moves all words gives every set a high share, the neutral words too."""
    neutral = replace(SET, statistic="preference_over_neutral", value=0.468, category="traits - calm words")
    replace_measures(1, [asdict(replace(SET, verdict="present")), asdict(neutral)])
    assert of_preference(1, "m")[1] == (
        "Beside neutral words: a word of traits leans more to women than a word of calm words in 47% of such pairs;"
        " 50% means alike.",
        "47%  n = 40 items, 20 words",
    )
