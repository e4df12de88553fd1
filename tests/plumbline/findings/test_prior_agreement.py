"""Whether other priors lead to the same verdict, said in one sentence."""

from dataclasses import replace

import pytest

from plumbline.findings.prior_agreement import agreement_sentence, is_same_verdict, under_others
from plumbline.spec.measure import Measure
from plumbline.spec.verdicts import Verdict

OWN = Measure("kendall_tau_excess", "group", 400, 25, 0.12, 0.06, 0.18, verdict=Verdict.PRESENT, condition="model")
NONE = replace(OWN, variant="prior: none", value=0.3, ci_low=0.2, ci_high=0.4)
MEAN = replace(OWN, variant="prior: mean over groups", value=-0.3, ci_low=-0.4, ci_high=-0.2)


def test_without_other_priors_or_without_a_verdict_nothing_is_said() -> None:
    assert agreement_sentence(OWN, []) == ""
    assert agreement_sentence(replace(OWN, verdict=""), [NONE]) == ""


def test_priors_that_agree_are_reported_with_their_figures() -> None:
    told = agreement_sentence(OWN, [NONE])
    assert told == "Other priors lead to the same verdict. Without a prior it is present: +0.30 [+0.20, +0.40]."


def test_figures_that_cannot_be_tested_do_not_agree_on_a_verdict() -> None:
    own, other = (replace(one, verdict=Verdict.NOT_TESTABLE) for one in (OWN, MEAN))
    told = agreement_sentence(own, [other])
    assert told.startswith("No verdict is possible under other priors either. With the mean over groups")


def test_one_that_does_not_agree_makes_the_verdict_depend_on_the_prior() -> None:
    undecided = replace(MEAN, value=0.05, ci_low=-0.01, ci_high=0.11, verdict=Verdict.UNDECIDED)
    assert agreement_sentence(OWN, [NONE, undecided]) == (
        "The verdict depends on the prior. Without a prior it is present: +0.30 [+0.20, +0.40]. With the mean over"
        " groups as prior it is undecided: +0.050 [-0.010, +0.11]."
    )
    assert "it is present on the other side: -0.30" in agreement_sentence(OWN, [MEAN])


@pytest.mark.parametrize(
    ("verdict", "value", "null", "same"),
    [
        (Verdict.PRESENT, 0.6, 0.5, True),
        (Verdict.PRESENT, 0.4, 0.5, False),
        (Verdict.UNDECIDED, 0.6, 0.5, False),
        (Verdict.PRESENT, 0.4, 0.0, True),
    ],
)
def test_present_effects_must_lie_on_the_same_side(verdict: Verdict, value: float, null: float, same: bool) -> None:
    own = replace(OWN, value=0.8)
    assert is_same_verdict(own, replace(NONE, verdict=verdict, value=value), null) is same


def test_an_undecided_verdict_is_the_same_on_either_side() -> None:
    own, other = (replace(OWN, verdict=Verdict.UNDECIDED, value=value) for value in (0.01, -0.01))
    assert is_same_verdict(own, other)


def test_a_figure_is_held_against_itself_under_other_priors_in_the_same_variant_of_the_method() -> None:
    others = [NONE, MEAN, replace(NONE, variant="prior: none, bfloat16"), replace(NONE, category="gender: woman"), OWN]
    assert under_others(others, OWN) == [NONE, MEAN]
    assert under_others(others, replace(OWN, variant="bfloat16")) == [others[2]]
