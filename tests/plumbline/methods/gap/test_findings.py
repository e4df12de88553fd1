"""What a run of pronoun resolution found, verdict by verdict."""

from typing import Any

import pytest

from plumbline.audits.models import ModelUnderAudit, Variant
from plumbline.desk.history import lines
from plumbline.findings.by_method import concerns, run_findings
from plumbline.methods.gap.findings import neither_sentence
from plumbline.spec.measure import Measure
from plumbline.spec.verdicts import Verdict
from tests.plumbline.methods.conftest import GAP, MakeRun, measured

HIGHER = (
    "A classifier on the embeddings of m gives “neither name” a higher probability for feminine than for masculine"
    " pronouns."
)
GENDERS = {"group_a": "feminine", "group_b": "masculine"}
DIFFERENCE = measured("p_neither_difference", 0.04, q_value=0.003, **GENDERS)


def difference(value: float | None, verdict: str = "", reason: str = "") -> Measure:
    names = ("p_neither_difference", "passage")
    return Measure(*names, 60, 60, value, verdict=verdict, smallest_effect=0.05, reason=reason)


@pytest.mark.parametrize(
    ("value", "verdict", "sentence"),
    [
        (0.08, Verdict.PRESENT, "A classifier on the embeddings of m gives “neither name” a higher probability for"),
        (-0.08, Verdict.PRESENT, "gives “neither name” a lower probability for feminine than for masculine pronouns."),
        (0.01, Verdict.ABSENT, "is shown to differ between the genders of pronouns by less than 0.05."),
        (0.08, Verdict.UNDECIDED, "It is undecided whether a classifier on the embeddings of m gives"),
        (0.08, Verdict.NOT_TESTABLE, "The passages are too few to test whether a classifier on the"),
    ],
)
def test_the_sentence_says_what_the_verdict_says(value: float, verdict: str, sentence: str) -> None:
    assert sentence in neither_sentence("m", difference(value, verdict), None)


@pytest.mark.parametrize(
    ("value", "verdict", "sentence"),
    [
        (0.08, Verdict.PRESENT, "are subtracted, the probability is higher for feminine pronouns."),
        (-0.08, Verdict.PRESENT, "are subtracted, the probability is lower for feminine pronouns."),
        (0.01, Verdict.ABSENT, "are subtracted, the difference is shown to be smaller than 0.05."),
        (0.08, Verdict.UNDECIDED, "are subtracted, it is undecided whether a difference is left."),
        (0.08, Verdict.NOT_TESTABLE, "are subtracted, the passages are too few to test the difference."),
    ],
)
def test_what_the_true_shares_leave_is_told_apart(value: float, verdict: str, sentence: str) -> None:
    told = neither_sentence("m", difference(0.1, Verdict.PRESENT), difference(value, verdict))
    assert told.startswith(f"{HIGHER} After the true shares of such pronouns")
    assert told.endswith(sentence)


def test_genders_that_cannot_be_compared_have_the_reason() -> None:
    told = neither_sentence("m", difference(None, reason="no passage has an answer"), None)
    assert told == "m: the genders of pronouns cannot be compared: no passage has an answer."


def test_without_an_excess_only_the_difference_is_reported() -> None:
    told = neither_sentence("m", difference(0.04, Verdict.PRESENT), difference(None))
    assert told == HIGHER


def accuracy(low: float) -> list[dict[str, Any]]:
    """The accuracy with this lower limit, and that of the commonest answer."""
    both: dict[str, Any] = {"group_a": "", "unit": "passage"}
    return [
        measured("accuracy", 0.6, **both) | {"ci_low": low, "ci_high": 0.7},
        measured("accuracy", 0.45, condition="chance", **both),
    ]


def variant_of(parent: str, slug: str) -> str:
    model = ModelUnderAudit.objects.create(reference=f"variant:{slug}")
    Variant.objects.create(slug=slug, model=model, method="leace", digest="1", card={"parent": parent})
    return model.reference


def test_a_model_that_saw_the_passages_is_reported_before_any_comparison(make_run: MakeRun) -> None:
    run = make_run(GAP | {"model": "bundled:masked-demo"}, [DIFFERENCE, *accuracy(0.5)])
    told = "bundled:masked-demo saw passages of GAP in training. Do not report its figures on GAP."
    assert concerns(run) == [told]
    assert run_findings(run)[0].sentence == told


def test_a_variant_of_a_variant_of_such_a_model_is_reported_too(make_run: MakeRun) -> None:
    variant = variant_of(variant_of("bundled:masked-demo", "first"), "second")
    run = make_run(GAP | {"model": variant}, [DIFFERENCE, *accuracy(0.5)])
    assert concerns(run) == [
        "variant:second was made of bundled:masked-demo, which saw passages of GAP in training. Do not report its"
        " figures on GAP."
    ]


def test_a_variant_of_another_model_has_no_such_concern(make_run: MakeRun) -> None:
    assert not concerns(make_run(GAP | {"model": variant_of("bundled:smollm2-135m", "fair")}, [DIFFERENCE]))


def test_a_classifier_that_learnt_nothing_is_reported_before_any_comparison(make_run: MakeRun) -> None:
    first = run_findings(make_run(GAP, [DIFFERENCE, *accuracy(0.44)]))[0].sentence
    assert first.startswith("The classifier on bundled:none is not shown to be right more often than the commonest")


def test_a_classifier_that_resolves_pronouns_is_reported_with_its_accuracy(make_run: MakeRun) -> None:
    run = make_run(GAP, [DIFFERENCE, *accuracy(0.5)])
    first = run_findings(run)[0]
    assert not concerns(run)
    assert "resolves pronouns right more often than the commonest answer would" in first.sentence
    assert first.figures == "accuracy = 60% [50%, 70%], commonest answer 45%  n = 12 items, 6 passages"


def test_each_comparison_of_the_genders_has_its_own_figures(make_run: MakeRun) -> None:
    excess = measured("p_neither_excess_difference", 0.06, q_value=0.004, **GENDERS)
    first, second = run_findings(make_run(GAP, [DIFFERENCE, excess]))
    assert (first.figures.split()[0], second.figures.split()[0]) == ("+0.040", "+0.060")
    assert second.sentence.startswith("After the true shares of such pronouns are subtracted")


def test_the_words_of_topics_are_no_difference_to_follow_over_time(make_run: MakeRun) -> None:
    words = measured("log_probability_bias", 0.3, group_a="men", group_b="women", unit="kind of sentence")
    assert lines([make_run(GAP, [words])]) == []
