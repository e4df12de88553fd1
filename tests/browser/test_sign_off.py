"""From a finished run to its sign-off, by two people, with the keyboard, and on a narrow screen."""

import re
import time

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import expect

from plumbline.findings.models import Finding, State
from plumbline.findings.sign_off.signing import standing
from tests.browser.house import House
from tests.plumbline.findings.audited import a_plan, a_run, difference

pytestmark = pytest.mark.slow

WIDE = "document.documentElement.scrollWidth"
MOST_SECONDS = 180
"""From "run done" to "signed off": what a person's time may be."""


def test_two_people_judge_the_findings_of_a_run_and_sign_it_off(house: House) -> None:
    launcher = User.objects.get(username="auditor")
    words = ("warm", "kind", "<b>cold</b>")
    run = a_run(*(difference(word, 0.6) for word in words), plan=a_plan("signed"), created_by=launcher)
    house.site.wait(lambda: Finding.objects.filter(series=f"plan {run.plan_id}").count() == len(words))
    began = time.monotonic()
    page = house.page("reviewer")
    page.goto(f"/runs/{run.pk}/findings/")
    expect(page.get_by_text("Judge 3 findings.")).to_be_visible()
    for key in ("j", "x", "d", "r"):
        page.keyboard.press(key)
    expect(page.get_by_text("1 selected finding", exact=True)).to_be_visible()
    page.keyboard.type("a base rate of the sentences")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 finding is now: dismissed.")).to_be_visible()
    page.get_by_label("Select all").check()
    page.get_by_role("button", name="Judge").click()
    expect(page.get_by_text("3 findings are now: confirmed.")).to_be_visible()
    expect(page.get_by_text(re.compile(r"Ask a second person to sign: .*\badmin\b"))).to_be_visible()
    second = house.page("admin", width=390, dark=True)
    second.goto(f"/runs/{run.pk}/findings/")
    assert second.evaluate(WIDE) <= 390
    second.get_by_label("Note").fill("discussed")
    second.get_by_role("button", name=f"Sign off run {run.pk}").click()
    expect(second.get_by_text(f"Run {run.pk} is signed off.")).to_be_visible()
    assert time.monotonic() - began < MOST_SECONDS
    assert standing(run) is not None
    second.get_by_role("link", name=re.compile("cold")).click()
    expect(second.get_by_role("heading", level=1)).to_contain_text("<b>cold</b>")
    expect(second.get_by_text("signed off")).to_be_visible()
    assert second.evaluate(WIDE) <= 390
    assert set(Finding.objects.filter(series=f"plan {run.plan_id}").values_list("state", flat=True)) == {
        State.CONFIRMED
    }
