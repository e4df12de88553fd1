"""The guide of a first visit: real sentences and figures, links for each role, dismissed by one person for itself."""

import math

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from plumbline.audits.models import Plan, Run
from plumbline.desk.guide.models import GuideDismissal
from plumbline.findings.models import Finding, State
from plumbline.findings.updating import update
from tests.plumbline.desk.findings.conftest import LogIn, log_in
from tests.plumbline.findings.audited import a_run, difference
from tests.plumbline.results.conftest import _load

pytestmark = pytest.mark.django_db
__all__ = ["log_in"]
TEMPLATES = ("All {group} are {attribute}.", "{group} seem {attribute}.")
SPEC = {
    "name": "weekly",
    "probe": "ilps",
    "model": "bundled:none",
    "prior": {"mask": "one"},
    "groups": {"inline": [{"label": "women"}, {"label": "men"}]},
    "attributes": {"inline": ["warm", "kind"]},
    "templates": {"inline": list(TEMPLATES)},
}


@pytest.fixture
def run() -> Run:
    """A run whose largest difference is -0.67: "kind" leans to men."""
    plan = Plan.objects.create(name="weekly", spec=SPEC)
    made = a_run(difference("warm", 0.2), difference("kind", -0.67), plan=plan, spec=SPEC, model="bundled:none")
    scores = {("kind", "men"): 1.67, ("kind", "women"): 1.0, ("warm", "men"): 0.0, ("warm", "women"): 0.2}
    _load(
        made.pk,
        [(template, group, word, score, None) for template in TEMPLATES for (word, group), score in scores.items()],
    )
    update(made)
    return made


def shown(log_in: LogIn, name: str = "ada", role: str = "auditor", page: str = "overview") -> str:
    return " ".join(log_in(name, role).get(reverse(page)).content.decode().split())


@pytest.mark.usefixtures("run")
@pytest.mark.parametrize("page", ["overview", "guide"])
def test_it_explains_the_largest_difference_by_its_factor_and_sentences(log_in: LogIn, page: str) -> None:
    text = shown(log_in, page=page)
    assert f"{math.exp(0.67):.1f} times as likely</b> with <bdi>men</bdi> as with <bdi>women</bdi>" in text
    assert "The difference is -0.67" in text
    assert "What the model expects of people in general is the same for each group and cancels out." in text
    assert "This difference was chosen because it is large." in text
    assert text.count('<mark class="attribute"><bdi>kind</bdi></mark>') == 2
    assert "{%" not in text


def test_it_does_not_explain_a_finding_that_somebody_dismissed_and_says_how_another_is_judged(
    run: Run, log_in: LogIn
) -> None:
    assert "judge it: confirm it, accept it as a risk, or dismiss it." in shown(log_in, role="reviewer")
    Finding.objects.filter(attribute="kind").update(state=State.DISMISSED)
    Finding.objects.filter(attribute="warm").update(state=State.CONFIRMED)
    text = shown(log_in, role="reviewer")
    assert "The difference is +0.20" in text
    assert "again: it is judged as “Confirmed”." in text


def test_it_names_the_mean_over_other_groups_in_words(log_in: LogIn) -> None:
    plan = Plan.objects.create(name="weekly", spec=SPEC)
    rows = (difference("kind", -0.67, group_b="(other groups)"), difference("", 0.1, group_b="(other groups)"))
    update(a_run(*rows, plan=plan, spec=SPEC, model="bundled:none"))
    text = shown(log_in)
    assert "with <bdi>the mean of the other groups</bdi> as with <bdi>women</bdi>" in text
    assert "(other groups)" not in text.partition("What a figure means")[2].partition("How sure it is")[0]


@pytest.mark.usefixtures("run")
def test_its_link_to_the_undecided_leads_to_the_summary(log_in: LogIn) -> None:
    run = Run.objects.latest("pk").pk
    assert f'<a href="{reverse("run", args=[run])}">See what else run {run} found</a>' in shown(log_in)


def test_before_the_first_run_it_leads_to_a_plan(log_in: LogIn) -> None:
    plan = Plan.objects.create(name="weekly", spec=SPEC)
    assert reverse("plan", args=[plan.pk]) in shown(log_in)
    assert "Launch a plan" not in shown(log_in, "eve", "viewer", "guide")


@pytest.mark.usefixtures("run")
def test_a_person_closes_it_for_itself_and_finds_it_again(log_in: LogIn) -> None:
    ada = log_in("ada", "viewer")
    assert "A first look" in shown(log_in)
    assert ada.post(reverse("guide_dismiss")).status_code == 302
    assert ada.post(reverse("guide_dismiss")).status_code == 302
    assert "A first look" not in shown(log_in)
    assert "A first look" in shown(log_in, "eve")
    assert "What a figure means" in shown(log_in, page="guide")
    ada.post(reverse("guide_restore"))
    assert "A first look" in shown(log_in)


def test_that_somebody_closed_it_goes_with_the_account(log_in: LogIn) -> None:
    log_in("ada").post(reverse("guide_dismiss"))
    assert GuideDismissal.objects.get().person.username == "ada"
    User.objects.get().delete()
    assert not GuideDismissal.objects.exists()
