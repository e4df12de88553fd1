"""Tests meet a page as its scripts leave it."""

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.house import House

PAGE = (
    """<!doctype html><title>A page</title><script type="module" src="/a-script.js"></script><button>There</button>"""
)
AUTOFOCUS = """<!doctype html><title>A page</title><script defer src="/a-script.js"></script><button autofocus>There"""
SCRIPT = """
const button = document.querySelector("button");
button.addEventListener("keydown", () => { button.textContent = "heard"; });
button.focus();
"""
LATE = 500
"""Milliseconds after the page."""


@pytest.fixture
def page(house: House) -> Page:
    """Pages whose script comes late."""
    page = house.page()

    def answer_late(route: Route) -> None:
        page.wait_for_timeout(LATE)
        route.fulfill(body=SCRIPT if page.url.endswith("/a-page/") else "", content_type="text/javascript")

    page.route("**/a-page/", lambda route: route.fulfill(body=PAGE, content_type="text/html"))
    page.route("**/autofocus/", lambda route: route.fulfill(body=AUTOFOCUS, content_type="text/html"))
    page.route("**/a-script.js", answer_late)
    return page


def test_a_key_is_pressed_after_the_scripts_have_run(page: Page) -> None:
    page.goto("/a-page/", wait_until="commit")
    page.get_by_role("button").press("a")
    expect(page.get_by_role("button")).to_have_text("heard")


def test_what_a_script_focuses_while_the_page_loads_has_the_focus(page: Page) -> None:
    page.goto("/a-page/")
    expect(page.get_by_role("button")).to_be_focused()


def test_the_autofocus_of_a_page_has_the_focus(page: Page) -> None:
    page.goto("/autofocus/")
    expect(page.get_by_role("button")).to_be_focused(timeout=5_000)
