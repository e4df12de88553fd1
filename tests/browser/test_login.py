"""Who comes in, and where they end up."""

import pytest
from playwright.sync_api import expect

from tests.browser.house import STRANGER, House

pytestmark = pytest.mark.slow


def test_a_viewer_logs_in_and_out_again(house: House) -> None:
    page = house.page("viewer")
    expect(page.get_by_role("heading", level=1)).to_have_text("Overview")
    page.get_by_role("button", name="Log out").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Log in")
    page.goto("/runs/")
    expect(page).to_have_url(f"{house.address}/login/?next=/runs/")


def test_an_account_without_a_role_reads_that_it_has_none(house: House) -> None:
    page = house.page(STRANGER)
    expect(page.get_by_role("heading", level=1)).to_have_text("Your role does not allow this")
