"""Two annotators map the same words by keys alone, seeing neither groups nor each other; then both see the results."""

from typing import Any

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User
from playwright.sync_api import Page, expect

from plumbline.annotation.models import Answer
from plumbline.audits.models import Run
from plumbline.methods.sodapop.annotation_tasks import make_rating
from tests.browser.house import PASSWORD, House
from tests.plumbline.annotation.discovered import MARKED, MEN, NAMES, WOMEN, make_run

pytestmark = pytest.mark.slow

SECOND = "second-reviewer"
RUN_PAGES = (
    "words/", "names/", "words/compare/", "misled/?word=violent", "misled/?word=violent&context=party&name=Ida"
)  # fmt: skip
BEYOND = """
[...document.querySelectorAll("main *")].filter((one) => !one.closest(".scroll, .unseen, details:not([open])"))
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80))
"""


@pytest.fixture
def discovered(house: House) -> Run:
    user, _ = User.objects.get_or_create(username=SECOND, defaults={"password": make_password(PASSWORD)})
    user.groups.set(Group.objects.filter(name="reviewer"))
    return make_run()


@pytest.fixture
def pages(house: House) -> dict[str, Page]:
    return {name: house.page(name) for name in ("auditor", "reviewer", SECOND)}


def map_words(page: Page, keys: dict[str, str]) -> None:
    """Each word by its keys, until none is left."""
    for left in range(len(keys), 0, -1):
        expect(page.get_by_text(f"{len(keys) - left} of {len(keys)} answered")).to_be_visible()
        page.wait_for_load_state()  # The page's script, which heeds the keys, runs before that.
        word = page.locator(".word").inner_text()
        shown = page.locator("body").inner_text()
        assert not [hidden for hidden in (WOMEN, MEN, MARKED, *NAMES) if hidden in shown]
        for key in keys[word]:
            page.keyboard.press(key)
        page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="All items are answered")).to_be_visible()


def test_two_annotators_map_words_blind_and_their_groups_are_put_in_order(
    house: House, discovered: Run, pages: dict[str, Page]
) -> None:
    auditor, one, other = pages.values()
    auditor.goto(f"/runs/{discovered.pk}/words/")
    auditor.get_by_role("link", name="Words to be mapped to traits").click()
    auditor.get_by_label(f"{WOMEN} and {MEN}").or_(auditor.get_by_label(f"{MEN} and {WOMEN}")).check()
    auditor.get_by_label("Trait list").select_option("abc-traits")
    auditor.get_by_role("button", name="Create the task").click()
    expect(auditor.get_by_text("4 items", exact=True)).to_be_visible()
    address = auditor.url
    keys = {"violent": "n", "ruthless": "an", "sweet": "M", "=cmd": ""}
    one.goto(address)
    one.get_by_role("link", name="Begin").click()
    map_words(one, keys)
    one.keyboard.press("Backspace")
    expect(one.get_by_text("Answer removed.")).to_be_visible()
    expect(one.get_by_text("3 of 4 answered")).to_be_visible()
    one.wait_for_load_state()
    for key in keys[one.locator(".word").inner_text()]:
        one.keyboard.press(key)
    one.keyboard.press("Enter")
    one.get_by_role("button", name="End").click()
    expect(one.get_by_role("link", name="Results")).to_be_visible()

    other.goto(address)
    expect(other.get_by_role("link", name="Results")).to_have_count(0)
    other.goto(f"{address}results/")
    expect(other.get_by_text("You can see the results after you have ended")).to_be_visible()
    other.get_by_role("link", name="Begin").click()
    map_words(other, keys)
    other.get_by_role("button", name="End").click()
    other.get_by_role("link", name="Results").click()
    expect(other.get_by_role("heading", name="Answers of 2 annotators")).to_be_visible()
    row = other.get_by_role("row").filter(has_text="threatening – benevolent")
    expect(row).to_contain_text("≻")
    expect(other.get_by_text("Fleiss' kappa")).to_contain_text("+1.00")
    assert Answer.objects.filter(participation__task__run=discovered).count() == 2 * len(keys)


def test_distractors_are_rated_by_four_digits(house: House, discovered: Run, pages: dict[str, Page]) -> None:
    task = make_rating(discovered, "rate", 2, 0, User.objects.get(username="auditor"))
    page: Any = pages["reviewer"]
    page.goto(f"/annotation/{task.pk}/answer/")
    for done in range(2):
        expect(page.get_by_text(f"{done} of 2 answered")).to_be_visible()
        page.wait_for_load_state()
        page.keyboard.type("5412")
        page.keyboard.press("Enter")
    page.get_by_role("button", name="End").click()
    page.get_by_role("link", name="Results").click()
    expect(page.get_by_role("row").filter(has_text="Plausibility")).to_contain_text("1.00")


def test_the_pages_fit_a_telephone(house: House, discovered: Run) -> None:
    task = make_rating(discovered, "rate", 2, 0, User.objects.get(username="auditor"))
    page = house.page("reviewer", width=390, dark=True)
    for address in (
        *(f"/runs/{discovered.pk}/{page}" for page in RUN_PAGES),
        "/annotation/", f"/annotation/{task.pk}/", f"/annotation/{task.pk}/answer/",
    ):  # fmt: skip
        answer = page.goto(address)
        assert answer is not None
        assert answer.ok, address
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, address
        assert page.evaluate(BEYOND) == [], address
