"""The second factor in a browser: set up by the key of its page, then asked for at each login."""

import re

import pytest
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User
from playwright.sync_api import Page, expect

from plumbline.accounts import second_factor
from tests.browser.house import PASSWORD, House
from tests.plumbline.desk.accounts.test_second_factor import code_of, wrong_code

pytestmark = pytest.mark.slow

NAME = "hedy"
WIDE = "document.documentElement.scrollWidth"


def with_password(house: House) -> Page:
    """Return the page that asks for the code, after the password."""
    page = house.page()
    page.goto("/login/")
    page.get_by_label("Username").fill(NAME)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Log in").click()
    page.wait_for_url("**/login/code/**")
    expect(page.get_by_text("Give the present code of your app")).to_be_visible()
    return page


def give(page: Page, code: str) -> None:
    page.get_by_role("textbox", name="Code").fill(code)
    page.get_by_role("button", name=re.compile("^(Set it up|Log in)$")).click()


def codes_after_setting_up(page: Page) -> tuple[str, list[str]]:
    """Set the second factor up, at first with a wrong code. Return its key and the recovery codes."""
    page.goto("/second-factor/")
    expect(page.get_by_role("img", name="The key as a QR code; the key itself follows")).to_be_visible()
    page.get_by_text("Type the key instead").click()
    key = page.locator("code.secret").inner_text()
    assert page.evaluate(WIDE) <= 390
    give(page, wrong_code(key))
    expect(page.get_by_text("This code is wrong")).to_be_visible()
    assert page.locator("code.secret").text_content() == key
    give(page, code_of(key))
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    return key, page.locator(".codes code").all_inner_texts()


def test_a_person_sets_it_up_and_logs_in_with_a_code_and_once_with_a_recovery_code(house: House) -> None:
    person = User.objects.create(username=NAME, password=make_password(PASSWORD))
    person.groups.set(Group.objects.filter(name="viewer"))
    key, recovery = codes_after_setting_up(house.page(NAME, width=390))
    assert second_factor.is_set_up(person)

    page = with_password(house)
    page.goto("/runs/")
    page.wait_for_url("**/login/?next=/runs/")
    page = with_password(house)
    give(page, wrong_code(key))
    expect(page.get_by_text("wrong")).to_be_visible()
    give(page, recovery[0])
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
    page.goto("/second-factor/")
    expect(page.get_by_text(f"{len(recovery) - 1} recovery codes are left")).to_be_visible()

    page = with_password(house)
    give(page, recovery[0])
    expect(page.get_by_text("wrong")).to_be_visible()
    give(page, code_of(key, later=1))
    expect(page.get_by_role("heading", name="Overview")).to_be_visible()
