"""The sentence of a set of words says no more than its verdict."""

from dataclasses import replace

import pytest

from plumbline.methods.association.preference_findings import preference_sentence
from plumbline.spec.measure import Measure

SET = Measure(
    "attribute_preference", "word", 40, 20, 0.7, group_a="women", group_b="men", category="traits", smallest_effect=0.1
)


@pytest.mark.parametrize(
    ("verdict", "value", "sentence"),
    [
        ("present", 0.7, "m links most of the words of traits more strongly to women than to men."),
        ("present", 0.2, "m links most of the words of traits more strongly to men than to women."),
        (
            "absent",
            0.52,
            "m links about half of the words of traits more strongly to women and half to men: the share is shown to be"
            " within 0.1 of one half.",
        ),
        (
            "not testable",
            0.2,
            "In these sentences m links 20% of the words of traits more strongly to women than to men. These"
            " sentences are too few to say more.",
        ),
        (
            "undecided",
            0.7,
            "It is undecided whether m links most of the words of traits more strongly to women or to men.",
        ),
    ],
)
def test_each_verdict_has_its_sentence(verdict: str, value: float, sentence: str) -> None:
    assert preference_sentence("m", replace(SET, verdict=verdict, value=value)) == sentence


def test_words_without_a_list_are_just_the_words() -> None:
    assert "most of the words more strongly" in preference_sentence("m", replace(SET, verdict="present", category=""))
