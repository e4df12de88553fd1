"""A template of BBQ is validated by keys alone, left and found again; the results say whether it passed."""

import pytest
from playwright.sync_api import Page, expect

from plumbline.annotation.models import AnnotationTask
from tests.browser.house import House
from tests.browser.test_annotation import BEYOND
from tests.plumbline.annotation.questions import MARKED, make_bank

pytestmark = pytest.mark.slow


@pytest.fixture
def made(house: House) -> AnnotationTask:
    """A task that one rater decides, made on the pages."""
    make_bank("browsed")
    auditor = house.page("auditor")
    auditor.goto("/banks/browsed/templates/")
    auditor.get_by_role("link", name="Have templates validated").click()
    auditor.get_by_label("Age", exact=True).check()
    auditor.get_by_label("Raters").fill("1")
    auditor.get_by_role("button", name="Create the task").click()
    expect(auditor.get_by_text("2 templates of browsed, 2 fillers")).to_be_visible()
    return AnnotationTask.objects.latest("pk")


def ready(page: Page, answered: int) -> None:
    """The page is there, and its script listens to keys."""
    expect(page.get_by_text(f"{answered} of 10 answered")).to_be_visible()
    page.wait_for_load_state("load")


def answer(page: Page, place: int) -> None:
    """The right one of the bank's own questions; anything for a filler."""
    ready(page, place)
    key = "2" if "It was the trainee." in page.locator(".passage").inner_text() else "3"
    page.keyboard.press("1")
    page.keyboard.press(key)
    expect(page.locator(f"input[data-key='{key}']")).to_be_checked()
    page.keyboard.press("Enter")


def test_a_rater_answers_by_keys_leaves_and_goes_on_and_the_templates_pass(house: House, made: AnnotationTask) -> None:
    page = house.page("reviewer")
    page.goto(f"/annotation/{made.pk}/")
    page.get_by_role("link", name="Begin").click()
    ready(page, 0)
    page.keyboard.press("Enter")  # without an answer nothing is saved
    for place in range(4):
        answer(page, place)
    ready(page, 4)  # leaving before the answer is sent would take it back
    page.goto(f"/annotation/{made.pk}/")
    page.get_by_role("link", name="Go on").click()
    ready(page, 4)
    page.keyboard.press("Backspace")
    for place in range(3, 10):
        answer(page, place)
    page.get_by_role("button", name="End").click()
    page.get_by_role("link", name="Results").click()
    expect(page.get_by_text("2 of 2 templates pass")).to_be_visible()
    expect(page.get_by_text("8 of 8 answers")).to_be_visible()
    assert house.complaints == []


def test_the_pages_fit_a_telephone_and_show_texts_literally(house: House, made: AnnotationTask) -> None:
    narrow, auditor = house.page("reviewer", width=390), house.page("auditor", width=390)
    narrow.goto(f"/annotation/{made.pk}/answer/")
    while not narrow.get_by_text(MARKED, exact=True).count():
        narrow.get_by_role("link", name="Next").click()
    assert narrow.evaluate(BEYOND) == []
    for path in ("templates/", "validation/"):
        auditor.goto(f"/banks/browsed/{path}")
        assert auditor.evaluate(BEYOND) == []
    assert house.complaints == []
