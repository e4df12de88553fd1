"""What a run of pronoun resolution found, verdict by verdict."""

import pytest

from plumbline.methods.gap.findings import neither_sentence
from plumbline.spec.measure import Measure
from plumbline.spec.verdicts import Verdict


def difference(value: float | None, verdict: str = "", reason: str = "") -> Measure:
    names = ("p_neither_difference", "passage")
    return Measure(*names, 60, 60, value, verdict=verdict, smallest_effect=0.05, reason=reason)


@pytest.mark.parametrize(
    ("value", "verdict", "sentence"),
    [
        (0.08, Verdict.PRESENT, "A classifier on m finds “neither name” likelier for feminine than for"),
        (-0.08, Verdict.PRESENT, "finds “neither name” less likely for feminine than for masculine pronouns."),
        (0.01, Verdict.ABSENT, "How likely a classifier on m finds “neither name” differs between the"),
        (0.08, Verdict.UNDECIDED, "It is undecided whether a classifier on m finds “neither name” likelier"),
        (0.08, Verdict.NOT_TESTABLE, "The passages are too few to say whether a classifier on m finds"),
    ],
)
def test_the_sentence_says_what_the_verdict_says(value: float, verdict: str, sentence: str) -> None:
    assert sentence in neither_sentence("m", difference(value, verdict), None)


@pytest.mark.parametrize(
    ("value", "verdict", "sentence"),
    [
        (0.08, Verdict.PRESENT, "with how often it is really so, it finds it more likely for feminine pronouns."),
        (-0.08, Verdict.PRESENT, "with how often it is really so, it finds it less likely for feminine pronouns."),
        (0.01, Verdict.ABSENT, "Beyond the true shares the difference is shown to be smaller than 0.05."),
        (0.08, Verdict.UNDECIDED, "It is not shown that a difference is left when the true shares are taken out."),
    ],
)
def test_what_the_true_shares_leave_is_told_apart(value: float, verdict: str, sentence: str) -> None:
    told = neither_sentence("m", difference(0.1, Verdict.PRESENT), difference(value, verdict))
    assert told.startswith("A classifier on m finds “neither name” likelier for feminine than for masculine pronouns. ")
    assert told.endswith(sentence)


def test_genders_that_cannot_be_compared_have_the_reason() -> None:
    told = neither_sentence("m", difference(None, reason="no passage has an answer"), None)
    assert told == "m: the genders of pronouns cannot be compared: no passage has an answer."


def test_without_an_excess_only_the_difference_is_reported() -> None:
    told = neither_sentence("m", difference(0.04, Verdict.PRESENT), difference(None))
    assert told == "A classifier on m finds “neither name” likelier for feminine than for masculine pronouns."
