"""Runs that could test nothing: they say so and why, and are no success."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.findings.models import Condition
from plumbline.findings.sign_off.conditions import NO_PROOF
from plumbline.findings.sign_off.signing import readiness
from plumbline.findings.untested import NO_FIGURE, untested_sentence, why_untested
from plumbline.findings.updating import update
from plumbline.spec.verdicts import Verdict
from tests.plumbline.findings.audited import a_plan, a_run, difference
from tests.plumbline.reports.conftest import report_on, text_of
from workers.management.reports import about

pytestmark = pytest.mark.django_db
RARE = "no word occurs 5 times with each name: lower min_occurrences, or take per: total"


def without_words() -> Run:
    """A run of SODAPOP without a word that occurs often enough."""
    rows: list[dict[str, Any]] = [
        {"statistic": "distractor_words", "value": 0.0, "n": 475, "n_units": 15, "unit": "name", "reason": RARE},
        {"statistic": "kmeans_accuracy", "group_a": "a", "n": 0, "unit": "name", "reason": "no word at all"},
    ]
    return a_run(*rows, plan=a_plan(), probe="sodapop", spec={"probe": "sodapop"})


def of_few(number: int, units: int) -> Run:
    """A run whose differences are not testable, with at most so many kinds of sentence."""
    few = {"q_value": None, "unit": "kind of sentence"}
    own = [difference(f"w{one}", 0.6, Verdict.NOT_TESTABLE, **few, n_units=units - one) for one in range(number)]
    return a_run(*own, plan=a_plan())


def test_a_method_says_why_none_of_its_figures_exists() -> None:
    assert untested_sentence(without_words()) == f"Nothing could be tested: {RARE}."


def test_figures_that_are_not_testable_say_how_few_units_they_have() -> None:
    told = "no figure could have become significant with the units that it rests on (5 kinds of sentence at most)"
    assert why_untested(of_few(3, 5)) == told


def test_the_reason_of_figures_without_a_value_is_named() -> None:
    rows = [difference(name, None, "", reason="no scorable item", q_value=None) for name in ("warm", "cold")]
    assert why_untested(a_run(*rows)) == "no scorable item"
    assert why_untested(a_run()) == NO_FIGURE


@pytest.mark.parametrize("verdict", [Verdict.UNDECIDED, Verdict.ABSENT, Verdict.PRESENT])
def test_one_tested_figure_is_enough(verdict: str) -> None:
    rows = [difference("warm", 0.1, verdict), difference("cold", 0.6, Verdict.NOT_TESTABLE)]
    assert untested_sentence(a_run(*rows)) == ""


def test_a_method_without_findings_and_a_run_without_results_have_nothing_to_say() -> None:
    assert untested_sentence(a_run(probe="perplexity")) == ""
    run = without_words()
    Run.objects.filter(pk=run.pk).update(state=RunState.FAILED)
    run.refresh_from_db()
    assert untested_sentence(run) == ""


def page_of(run: Run) -> str:
    person, _ = User.objects.get_or_create(username="vera")
    person.groups.set(Group.objects.filter(name="viewer"))
    client = Client()
    client.force_login(person)
    return " ".join(client.get(reverse("run_findings", args=[run.pk])).content.decode().split())


def test_page_report_and_command_say_that_nothing_was_tested() -> None:
    run = without_words()
    update(run)
    told = f"Nothing could be tested: {RARE}."
    page = page_of(run)
    assert f"{told} So the run has no findings. This is no proof of fairness." in page
    assert "beyond chance" not in page
    report = text_of(report_on(run))
    assert f"{told} This is no proof that the model is free of stereotypes." in report
    assert f"{told} So the run has no findings." in report
    assert told in about(run)


def test_a_run_that_tested_small_effects_still_says_that_none_is_beyond_chance() -> None:
    run = a_run(difference("warm", 0.1, Verdict.UNDECIDED))
    update(run)
    page = page_of(run)
    assert "No measure of this run is beyond chance and beyond the smallest effect" in page
    assert "Nothing could be tested" not in page
    assert not any("Nothing could be tested" in line for line in about(run))


@pytest.mark.parametrize("untested", [True, False])
def test_what_tested_nothing_does_not_measure_what_its_method_promises(untested: bool) -> None:
    run = without_words() if untested else a_run(difference("warm", 0.1, Verdict.UNDECIDED))
    update(run)
    found = readiness(run, User.objects.create_user("grace")).conditions
    condition = next(one for one in found if one.name == Condition.NO_CONCERN)
    assert condition.holds is not untested
    assert condition.remedy == (f"Nothing could be tested: {RARE}. {NO_PROOF}" if untested else "")
