"""Pages on a telephone: 390 pixels wide, and nothing to scroll sideways for."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from plumbline.audits.models import Run
from tests.browser.gridded import ATTRIBUTES
from tests.browser.house import House

pytestmark = pytest.mark.slow

WIDTH = 390
BEYOND = """
[...document.querySelectorAll("main *")].filter((one) => !one.closest(".scroller, pre, .unseen, .chart, [hidden]"))
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80))
"""
PAGES = (
    "/", "/runs/", "/runs/{run}/", "/runs/{run}/explorer/", "/runs/{run}/measures/?statistic=ilps",
    "/runs/{run}/items/",
    "/runs/{run}/provenance/", "/models/", "/models/history/?reference=path:./some/%3Cmodel%3E",
    "/models/agreement/?reference=path:./some/%3Cmodel%3E", "/plans/", "/plans/1/",
    "/compare/", "/sql/",
)  # fmt: skip


@pytest.fixture(scope="module")
def telephone(opened: House) -> Iterator[Page]:
    page = opened.page("viewer", width=WIDTH)
    yield page
    page.context.close()


@pytest.mark.parametrize("address", PAGES)
def test_nothing_reaches_beyond_the_screen(telephone: Page, gridded: Run, address: str) -> None:
    answer = telephone.goto(address.format(run=gridded.pk), wait_until="networkidle")
    assert answer is not None
    assert answer.ok
    assert telephone.evaluate("document.documentElement.scrollWidth") <= WIDTH
    assert telephone.evaluate(BEYOND) == []


def test_an_item_is_complete_on_the_screen(telephone: Page, gridded: Run) -> None:
    telephone.goto(f"/runs/{gridded.pk}/items/?attribute=warm")
    row = telephone.get_by_role("row").nth(1)
    for label in ("Group", "Attribute", "Score (natural log)", "log p (target)", "log p (prior)"):
        cell = row.locator(f"td[data-label='{label}']")
        expect(cell).to_be_visible()
        box = cell.bounding_box()
        assert box is not None
        assert box["x"] + box["width"] <= WIDTH


@pytest.mark.parametrize("way_back", ["button", "escape", "beside"])
def test_the_sheet_of_a_cell_has_evident_ways_back(telephone: Page, gridded: Run, way_back: str) -> None:
    telephone.goto(f"/runs/{gridded.pk}/explorer/")
    expect(telephone.locator("#status")).to_contain_text(f"of {len(ATTRIBUTES)} attributes")
    sheet = telephone.get_by_role("complementary", name="The cell")
    grid = telephone.get_by_role("application")
    grid.scroll_into_view_if_needed()
    box = telephone.locator(".sheet").bounding_box()
    assert box is not None
    telephone.mouse.click(box["x"] + box["width"] - 8, box["y"] + box["height"] - 8)
    expect(sheet).to_be_focused()
    expect(sheet.get_by_role("heading", level=2)).to_be_visible()
    sheet.evaluate("(one) => one.scrollTo(0, one.scrollHeight)")
    close = sheet.get_by_role("button", name="Close")
    expect(close).to_be_in_viewport(ratio=1)
    if way_back == "button":
        close.click()
    elif way_back == "escape":
        telephone.keyboard.press("Escape")
    else:
        telephone.mouse.click(WIDTH / 2, 20)
    expect(sheet).to_be_hidden()
    expect(grid).to_be_focused()
