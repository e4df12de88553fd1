"""What the rules of a gate say of finished runs: passes, breaches, what is undecided, and what cannot be judged."""

from typing import Any

import pytest

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.by_method import MethodFindings
from plumbline.findings.gate import earlier_runs, judging
from plumbline.findings.gate.judging import GateResult, judge
from plumbline.findings.gate.rules import Rule
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.errors import InputError
from plumbline.spec.verdicts import Verdict
from tests.plumbline.findings.audited import a_plan, a_run, difference

pytestmark = pytest.mark.django_db


def a_rule(**changes: Any) -> Rule:
    return Rule.model_validate({"name": "r", "statistic": "ilps_difference", "smallest_effect": 0.3} | changes)


def outcome(run: Run, **changes: Any) -> str:
    return judge(run, [a_rule(**changes)]).outcome


def why(found: GateResult) -> str:
    return found.results[0].judged[0].why


@pytest.mark.parametrize(
    ("value", "verdict", "margin", "expected"),
    [
        (0.6, Verdict.PRESENT, 0.22, "breach"),
        (-0.6, Verdict.PRESENT, 0.22, "breach"),
        (0.3, Verdict.PRESENT, 0.22, "breach"),
        (0.29, Verdict.PRESENT, 0.22, "undecided"),
        (0.15, Verdict.PRESENT, 0.22, "pass"),
        (0.6, Verdict.UNDECIDED, 0.22, "undecided"),
        (0.25, Verdict.UNDECIDED, 0.22, "undecided"),
        (0.05, Verdict.UNDECIDED, 0.22, "pass"),
        (0.25, Verdict.ABSENT, 0.3, "pass"),
        (0.25, Verdict.ABSENT, 0.4, "undecided"),
        (0.6, Verdict.NOT_TESTABLE, 0.22, "breach"),
        (0.6, "", 0.22, "breach"),
        (None, "", None, "breach"),
    ],
)
def test_a_rule_needs_the_stored_test_and_the_smallest_effect(
    value: float | None, verdict: str, margin: float | None, expected: str
) -> None:
    figures = {"smallest_effect": margin, "q_value": None, "reason": "" if value is not None else "nothing to score"}
    run = a_run(difference("", value, verdict, **figures), difference("kind", 0.1))
    assert outcome(run) == expected


def test_a_word_or_every_word_may_be_judged() -> None:
    run = a_run(difference("warm", 0.6), difference("kind", 0.1), difference("", 0.1))
    assert outcome(run) == "pass"
    assert outcome(run, attribute="kind") == "pass"
    assert outcome(run, attribute="warm") == "breach"
    assert outcome(run, every_word=True) == "breach"


def test_a_breach_counts_before_what_is_undecided() -> None:
    run = a_run(difference("warm", 0.6), difference("kind", 0.6, Verdict.UNDECIDED), difference("", 0.0))
    assert outcome(run, every_word=True) == "breach"
    rules = [a_rule(name=word, attribute=word) for word in ("kind", "warm")]
    found = judge(run, rules)
    assert ([one.outcome for one in found.results], found.outcome) == (["undecided", "breach"], "breach")


@pytest.mark.parametrize("counts", ["breach", "undecided", "pass"])
def test_a_rule_says_what_missing_and_untestable_figures_count_as(counts: str) -> None:
    run = a_run(difference("warm", 0.6, Verdict.NOT_TESTABLE), difference("kind", 0.1))
    assert outcome(run, attribute="cold", missing=counts) == counts
    assert outcome(run, attribute="warm", not_testable=counts) == counts
    assert outcome(run, attribute="cold", not_testable="pass") == "breach"


def test_a_figure_that_a_concern_covers_is_not_testable(monkeypatch: pytest.MonkeyPatch) -> None:
    run = a_run(difference("", 0.0, Verdict.ABSENT))
    assert outcome(run) == "pass"
    monkeypatch.setattr(judging, "concerns", lambda _run: ["the model cannot do the task"])
    found = judge(run, [a_rule()])
    assert (found.outcome, why(found)) == ("breach", "not testable: the model cannot do the task")
    exempting = MethodFindings(exempt=lambda _run: ["ilps_difference"])
    monkeypatch.setattr(judging, "findings_of", lambda _probe: exempting)
    assert outcome(run) == "pass"


def test_figures_under_another_variant_count_only_where_a_rule_names_it() -> None:
    run = a_run(difference("", 0.1), difference("", 0.6, variant="without flagged"))
    assert (outcome(run), outcome(run, variant="without flagged")) == ("pass", "breach")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"statistic": "nonsense"}, "'r': the probe ilps has no statistic 'nonsense'; it has .*ilps_difference"),
        ({"statistic": "scorable_share"}, "scorable_share has no test; take one of .*ilps_difference"),
        ({"group_a": "cats"}, "has no group 'cats'; its groups are men, women"),
    ],
)
def test_a_rule_that_the_run_cannot_answer_is_wrong_input(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told):
        judge(a_run(difference("", 0.6)), [a_rule(**changes)])


def test_a_run_that_is_not_done_or_has_no_verdicts_is_wrong_input() -> None:
    with pytest.raises(InputError, match="Summarise again"):
        judge(a_run(difference("", 0.6, "")), [a_rule()])
    run = a_run(difference("", 0.6))
    run.state = RunState.FAILED
    with pytest.raises(InputError, match="is failed: wait until it is done, or continue it with 'audit resume'"):
        judge(run, [a_rule()])


def two_runs(
    value: float, verdict: str, change: float, change_verdict: str, *, compared: bool = True, **second: Any
) -> tuple[Run, Run]:
    plan = a_plan()
    first = a_run(difference("", 0.6), plan=plan)
    later = a_run(difference("", value, verdict), plan=plan, **second)
    tested = difference("", change, change_verdict, statistic="difference_in_differences")
    tested |= {"condition": "ilps_difference", "variant": f"run:{first.pk}"}
    if compared:
        replace_measures(later.pk, [tested], compared=True)
    return first, later


@pytest.mark.parametrize(
    ("value", "verdict", "change", "change_verdict", "expected"),
    [
        (1.2, Verdict.PRESENT, 0.6, Verdict.PRESENT, "breach"),
        (-0.6, Verdict.PRESENT, -1.2, Verdict.PRESENT, "breach"),
        (0.8, Verdict.PRESENT, 0.25, Verdict.PRESENT, "undecided"),
        (0.1, Verdict.UNDECIDED, -0.5, Verdict.PRESENT, "pass"),
        (0.0, Verdict.ABSENT, -0.6, Verdict.PRESENT, "pass"),
        (0.6, Verdict.PRESENT, 0.0, Verdict.ABSENT, "pass"),
        (1.2, Verdict.PRESENT, 0.6, Verdict.UNDECIDED, "undecided"),
        (1.2, Verdict.PRESENT, 0.6, Verdict.NOT_TESTABLE, "breach"),
    ],
)
@pytest.mark.parametrize("against", ["last run", "baseline"])
def test_a_change_is_judged_by_the_stored_comparison(
    value: float,
    verdict: str,
    change: float,
    change_verdict: str,
    expected: str,
    against: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first, later = two_runs(value, verdict, change, change_verdict)
    monkeypatch.setattr(earlier_runs, "baseline_of", lambda _run: first)
    found = judge(later, [a_rule(against=against)])
    assert (found.outcome, found.results[0].before) == (expected, first)


def test_a_figure_that_the_comparison_lacks_is_missing() -> None:
    first, later = two_runs(0.6, Verdict.PRESENT, 0.0, Verdict.ABSENT)
    assert outcome(later, against="last run") == "pass"
    replace_measures(first.pk, [difference("", 0.6), difference("", 0.6, category="jobs")])
    assert outcome(later, against="last run") == "breach"
    assert outcome(later, against="last run", missing="undecided") == "undecided"


def test_a_run_that_measured_in_another_way_needs_a_new_baseline() -> None:
    _, later = two_runs(0.6, Verdict.PRESENT, 0.0, Verdict.ABSENT, spec={"probe": "ilps", "groups": "g2"})
    found = judge(later, [a_rule(against="last run")])
    assert found.outcome == "breach"
    assert why(found).startswith("needs a new baseline: run ")
    assert outcome(later, against="last run", no_baseline="undecided", missing="pass") == "undecided"


@pytest.mark.parametrize("against", ["last run", "baseline"])
def test_without_an_earlier_run_a_new_baseline_is_needed(against: str) -> None:
    alone = judge(a_run(difference("", 0.0, Verdict.ABSENT), plan=a_plan()), [a_rule(against=against)])
    assert (alone.outcome, "there is no earlier" in why(alone)) == ("breach", True)
    of_no_plan = judge(a_run(difference("", 0.0, Verdict.ABSENT)), [a_rule(against=against)])
    assert (of_no_plan.outcome, "belongs to no plan" in why(of_no_plan)) == ("breach", True)


def test_another_revision_of_the_model_is_compared_and_another_model_is_not() -> None:
    first, later = two_runs(1.2, Verdict.PRESENT, 0.6, Verdict.PRESENT, model="hub:org/m@b")
    a_run(difference("", 0.6), plan=a_plan(), model="hub:org/other")
    assert earlier_runs.last_run(later) == first
    assert outcome(later, against="last run") == "breach"


def test_runs_that_were_not_compared_yet_are_wrong_input() -> None:
    _, later = two_runs(0.6, Verdict.PRESENT, 0.0, Verdict.ABSENT, compared=False)
    with pytest.raises(InputError, match="were not compared yet: open the page Compare"):
        judge(later, [a_rule(against="last run")])
