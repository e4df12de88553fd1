"""How a model stands to people, in a sentence: the verdict is on T - T0, and never on the sign of T."""

from dataclasses import asdict, replace

import pytest

from plumbline.analyses.alignment.findings import of_people, people_sentence
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.measure import Measure
from plumbline.spec.verdicts import Verdict

TAU = Measure("kendall_tau", "group", 400, 25, 0.0045, -0.07, 0.08, condition="model")
EXCESS = Measure(
    "kendall_tau_excess",
    "group",
    400,
    25,
    0.0835,
    0.01,
    0.15,
    p_value=0.0195,
    q_value=1.0,
    verdict=Verdict.UNDECIDED,
    smallest_effect=0.1,
    condition="model",
)


def sentence(verdict: Verdict, excess: float, tau: float) -> str:
    return people_sentence("M", replace(EXCESS, verdict=verdict, value=excess), replace(TAU, value=tau))


def test_the_published_case_is_no_agreement() -> None:
    """Tau is +0.0045 and -0.079 with exchanged ratings; precision at 3 is below chance."""
    for verdict in Verdict:
        told = sentence(verdict, 0.0835, 0.0045)
        assert "as people do" not in told
        assert "more than by chance" not in told
    assert sentence(Verdict.UNDECIDED, 0.0835, 0.0045).startswith("It is undecided whether M is")


@pytest.mark.parametrize(
    ("verdict", "excess", "tau", "told"),
    [
        (Verdict.PRESENT, 0.3, 0.4, "M is closer to what people say of a group than to what they say of others."),
        (
            Verdict.PRESENT,
            0.3,
            -0.2,
            "than to what they say of others, but the shared order is opposed: tau itself is negative.",
        ),
        (Verdict.PRESENT, -0.3, 0.2, "M is closer to what people say of other groups than to what they say of"),
        (Verdict.ABSENT, 0.01, 0.5, "the difference is shown to be smaller than 0.1"),
        (Verdict.NOT_TESTABLE, 0.3, 0.5, "25 groups are too few to test whether M is closer to what people say"),
    ],
)
def test_the_sentence_is_about_the_excess(verdict: Verdict, excess: float, tau: float, told: str) -> None:
    assert told in sentence(verdict, excess, tau)


def test_a_run_is_reported_with_its_figures(db: None) -> None:
    exchanged = replace(TAU, value=-0.079, condition="exchanged", ci_low=None, ci_high=None)
    parts = [replace(one, category="gender: woman") for one in (TAU, EXCESS)]
    measures = [replace(one, variant="ends=required") for one in (TAU, EXCESS, exchanged)]
    tested = [replace(one, variant="test_groups, ends=required") for one in (TAU, EXCESS)]
    replace_measures(1, [asdict(one) for one in (*measures, *parts, *tested)])
    ((told, figures),) = of_people(1, "M")
    assert told.startswith("It is undecided whether M is closer")
    assert figures == (
        "difference +0.084 [+0.010, +0.15]  25 groups  q = 1.00  tau +0.0045, with exchanged ratings -0.079"
    )


def test_other_priors_are_reported_next_to_the_verdict(db: None) -> None:
    """Fault 8: one run had tau 0.005 with person/people, 0.072 without a prior, and its page showed one of them."""
    none = [replace(one, variant="prior: none", verdict=one.verdict and Verdict.PRESENT) for one in (TAU, EXCESS)]
    replace_measures(1, [asdict(one) for one in (TAU, EXCESS, *none)])
    told = of_people(1, "M")
    assert [sentence for sentence, _ in told] == [
        people_sentence("M", EXCESS, TAU),
        "The verdict depends on the prior. Without a prior it is present: +0.084 [+0.010, +0.15].",
    ]


def test_measures_of_earlier_rules_have_no_sentence(db: None) -> None:
    replace_measures(1, [asdict(one) for one in (TAU, replace(EXCESS, verdict=""))])
    assert of_people(1, "M") == []
