"""From a finished run to its sign-off and its report, by two people, and with the keyboard on a narrow screen."""

import re
from collections import Counter
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from plumbline.audits.models import Run
from plumbline.findings.models import Finding, State, Vote
from plumbline.findings.sign_off.signing import standing
from tests.browser.house import House
from tests.plumbline.findings.audited import a_plan, a_run, difference

pytestmark = pytest.mark.slow

WIDE = "document.documentElement.scrollWidth"


def a_judged_run(house: House, plan: str, words: tuple[str, ...]) -> Run:
    """Return a finished run by the auditor whose findings the scheduler has written."""
    launcher = User.objects.get(username="auditor")
    run = a_run(*(difference(word, 0.6) for word in words), plan=a_plan(plan), created_by=launcher)
    house.site.wait(lambda: Finding.objects.filter(series=f"plan {run.plan_id}").count() == len(words))
    return run


def test_two_people_go_from_a_finished_run_to_its_report_by_the_next_steps_that_pages_name(
    house: House, tmp_path: Path
) -> None:
    run = a_judged_run(house, "decided", ("warm", "kind", "proud", "cold"))
    first = house.page("reviewer")
    first.goto(f"/runs/{run.pk}/")
    expect(first.get_by_label("Next step")).to_contain_text("Judge 4 findings.")
    first.get_by_role("link", name="Judge findings").click()
    for word in ("warm", "kind"):
        first.get_by_role("row").filter(has_text=word).get_by_role("checkbox").check()
    first.get_by_label("Dismissed").check()
    first.get_by_role("button", name="Judge", exact=True).click()
    expect(first.get_by_label("Reason")).to_be_focused()
    expect(first.get_by_text("2 selected findings", exact=True)).to_be_visible()
    first.get_by_label("Reason").fill("the list has this word twice")
    first.get_by_role("button", name="Judge", exact=True).click()
    first.get_by_role("button", name="Judge 2 findings").click()
    expect(first.get_by_text("2 findings judged as dismissed.")).to_be_visible()
    first.get_by_role("button", name="Select the 2 to judge").click()
    expect(first.get_by_text("2 selected findings", exact=True)).to_be_visible()
    first.get_by_label("Confirmed").check()
    first.get_by_role("button", name="Judge", exact=True).click()
    first.get_by_role("button", name="Judge 2 findings").click()
    expect(first.get_by_text("2 findings judged as confirmed.")).to_be_visible()
    expect(first.get_by_text(re.compile(r"waits for the sign-off of a second person: .*\badmin\b"))).to_be_visible()

    second = house.page("admin")
    expect(second.get_by_text("Waiting for your sign-off")).to_be_visible()
    second.get_by_role("link", name=f"Run {run.pk}: weekly").click()
    second.get_by_label("Select all").check()
    second.get_by_role("button", name="Agree with their states").click()
    expect(second.get_by_text("You voted for the present state of 4 findings.")).to_be_visible()
    second.get_by_label("May be used on conditions").check()
    second.get_by_label("For which use").fill("drafts that a person reads")
    second.get_by_role("button", name=f"Sign off run {run.pk}").click()
    expect(second.get_by_text(f"Run {run.pk} is signed off.")).to_be_visible()
    assert downloaded(second, "Report (HTML)", tmp_path).startswith(b"<!doctype html>")
    assert downloaded(second, "Report (PDF)", tmp_path).startswith(b"%PDF-")
    assert standing(run) is not None
    states = Counter(Finding.objects.filter(series=f"plan {run.plan_id}").values_list("state", flat=True))
    assert states == {State.DISMISSED: 2, State.CONFIRMED: 2}
    assert Vote.objects.filter(person__username="admin", finding__series=f"plan {run.plan_id}").count() == 4
    first.goto(f"/runs/{run.pk}/")
    expect(first.get_by_label("Next step")).to_contain_text("Signed off by admin")
    second.goto("/")
    expect(second.get_by_text("Waiting for your sign-off")).to_be_hidden()


def downloaded(page: Page, name: str, folder: Path) -> bytes:
    with page.expect_download() as download:
        page.get_by_role("link", name=name).click()
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file.read_bytes().lstrip()[:15].lower() if file.suffix == ".html" else file.read_bytes()[:15]


def test_the_keyboard_judges_and_a_narrow_screen_signs(house: House) -> None:
    run = a_judged_run(house, "signed", ("warm", "kind", "<b>cold</b>"))
    page = house.page("reviewer")
    page.goto(f"/runs/{run.pk}/findings/")
    expect(page.get_by_text("Judge 3 findings.").first).to_be_visible()
    page.get_by_role("link", name=re.compile("cold")).click()
    judge = page.get_by_role("group", name="Judge")
    judge.get_by_label("Dismissed").check()
    judge.get_by_role("button", name="Judge").click()
    expect(judge.get_by_label("Reason")).to_be_focused()
    expect(judge.get_by_label("Dismissed")).to_be_checked()
    page.go_back()
    for key in ("j", "x", "d", "r"):
        page.keyboard.press(key)
    expect(page.get_by_text("1 selected finding", exact=True)).to_be_visible()
    page.keyboard.type("a base rate of the sentences")
    page.keyboard.press("Enter")
    expect(page.get_by_text("1 finding judged as dismissed.")).to_be_visible()
    page.keyboard.press("n")
    expect(page.get_by_text("2 selected findings", exact=True)).to_be_visible()
    expect(page.get_by_label("Confirmed")).not_to_be_checked()
    page.keyboard.press("c")
    page.get_by_role("button", name="Judge", exact=True).click()
    expect(page.get_by_role("button", name="Judge 2 findings")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("2 findings judged as confirmed.")).to_be_visible()
    second = house.page("admin", width=390, dark=True)
    second.goto(f"/runs/{run.pk}/")
    assert second.evaluate(WIDE) <= 390
    second.get_by_role("link", name="Sign off", exact=True).click()
    second.wait_for_url("**/findings/#sign-off", wait_until="load")
    assert second.evaluate(WIDE) <= 390
    second.get_by_label("No decision about its use").check()
    second.get_by_role("button", name=f"Sign off run {run.pk}").click()
    expect(second.get_by_text(f"Run {run.pk} is signed off.")).to_be_visible()
    second.get_by_role("link", name=re.compile("cold")).click()
    expect(second.get_by_role("heading", level=1)).to_contain_text("<b>cold</b>")
    expect(second.get_by_text("signed off")).to_be_visible()
    assert second.evaluate(WIDE) <= 390
