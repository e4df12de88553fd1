"""The colours of all pages: one switch for the desk and the admin."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.house import House

pytestmark = pytest.mark.slow

PAPER = "getComputedStyle(document.body).backgroundColor"
DARK, LIGHT = "rgb(23, 23, 22)", "rgb(255, 255, 255)"


def choose(page: Page, theme: str) -> None:
    page.get_by_label("Colours of the pages").select_option(theme)


def test_a_choice_at_the_desk_holds_on_every_page_of_both_sites(house: House) -> None:
    page = house.page("curator")
    assert page.evaluate(PAPER) == LIGHT
    choose(page, "Dark")
    assert page.evaluate(PAPER) == DARK
    page.goto("/plans/")
    assert page.evaluate(PAPER) == DARK
    expect(page.get_by_label("Colours of the pages")).to_have_value("dark")
    page.goto("/admin/")
    expect(page.locator("html.dark")).to_be_visible()


def test_a_choice_in_the_admin_holds_at_the_desk_and_the_system_decides_again(house: House) -> None:
    page = house.page("curator", dark=True)
    page.goto("/admin/")
    page.evaluate("Alpine.$data(document.documentElement).switchTheme('light')")
    page.wait_for_function("localStorage.getItem('adminTheme') === '\"light\"'")
    page.goto("/")
    assert page.evaluate(PAPER) == LIGHT
    choose(page, "Colours of the system")
    assert page.evaluate(PAPER) == DARK
