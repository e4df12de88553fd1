"""What the page of a run says about its findings, compared with the run before."""

import re

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Comparison, Run
from plumbline.desk.findings.outcome_counts import added_groups_of_new
from plumbline.findings.judging import judge
from plumbline.findings.models import Finding, State
from plumbline.findings.updating import update
from tests.plumbline.desk.findings.conftest import NASTY, LogIn
from tests.plumbline.findings.audited import a_plan, a_run, difference

DISMISSED = (State.DISMISSED, "a base rate")


def later_run(first: Run, group: str = "nonbinary people") -> Run:
    """A run that shows one finding of before, and two on another group."""
    rows = [difference(word, 0.9, group_b=group) for word in ("kind", "calm")]
    second = a_run(difference(NASTY, 0.6), difference("=kind", None, "", reason="no item"), *rows, plan=a_plan())
    Comparison.objects.create(
        run=second, previous=first, paired=4, only_previous=0, only_new=2, not_scorable=0, cells=4, moved=0
    )
    update(second)
    return second


def told(client: Client, run: Run, part: str) -> str:
    page = client.get(reverse("run", args=[run.pk])).content.decode()
    section = page.split(part)[1].split("</section>")[0]
    return " ".join(re.sub("<[^>]+>", "", section).split())


def test_a_run_says_how_many_findings_are_new_and_how_many_as_before(run: Run, log_in: LogIn) -> None:
    client, second = log_in("grace"), later_run(run)
    for part in ('class="next-step"', 'aria-labelledby="moved"'):
        assert "Findings: 2 new, 1 as before, 1 not measured." in told(client, second, part)
    assert "Findings:" not in told(client, run, 'class="next-step"')


def test_each_count_leads_to_its_findings_in_that_run(run: Run, log_in: LogIn) -> None:
    client, second = log_in("grace"), later_run(run)
    update(a_run(difference("kind", 0.9, group_b="nonbinary people"), plan=a_plan()))
    page = client.get(reverse("run", args=[second.pk])).content.decode()
    links = [link.replace("&amp;", "&") for link in re.findall(r'href="(/findings/\?run=[^"]+)"', page)]
    rows = {link.partition("outcome=")[2]: client.get(link).content.decode().count("data-row=") for link in links}
    assert rows == {"new": 2, "still": 1, "not%20measured": 1}


def test_a_run_says_how_many_of_its_findings_are_dismissed_with_a_link_to_them(run: Run, log_in: LogIn) -> None:
    client, second = log_in("grace"), later_run(run)
    assert "dismissed" not in told(client, second, 'class="next-step"')
    grace = User.objects.get(username="grace")
    judge(list(Finding.objects.exclude(attribute=NASTY).values_list("pk", flat=True)), grace, *DISMISSED)
    assert "2 of its findings are dismissed." in told(client, second, 'class="next-step"')
    assert "1 of its findings is dismissed." in told(client, run, 'class="next-step"')
    page = client.get(reverse("run", args=[second.pk])).content.decode()
    (link,) = re.findall(rf'href="(/findings/\?run={second.pk}&amp;state=dismissed&amp;shown=yes)"', page)
    assert client.get(link.replace("&amp;", "&")).content.decode().count("data-row=") == 2


def test_a_first_run_says_of_one_finding_that_it_is_dismissed(run: Run, log_in: LogIn) -> None:
    client = log_in("grace")
    judge([Finding.objects.earliest("pk").pk], User.objects.get(username="grace"), *DISMISSED)
    assert "1 of its findings is dismissed." in told(client, run, 'class="next-step"')


def test_all_new_findings_may_be_about_an_added_group(run: Run) -> None:
    second = later_run(run)
    assert added_groups_of_new(second, ["children", "nonbinary people"]) == ["nonbinary people"]
    assert added_groups_of_new(second, []) == []
    Finding.objects.filter(attribute="calm").update(group_b="men")
    assert added_groups_of_new(second, ["nonbinary people"]) == []
