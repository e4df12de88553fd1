"""The page on known biases in a browser: the thesis beside ours, by keyboard and on a telephone."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from pytest_django.plugin import DjangoDbBlocker

from plumbline.audits.models import Run
from plumbline.audits.states import RunState
from plumbline.results.measure_writing import replace_measures
from tests.browser.house import House
from tests.faults.conftest import pointed_at
from tests.plumbline.methods.indirect.replication.test_page import AGREED, GENDERED, scores

pytestmark = pytest.mark.slow

PHONE = 390
BEYOND = """
[...document.querySelectorAll("main *")].filter((one) => !one.closest(".scroll, pre, .unseen, [hidden], details"))
  .filter((one) => one.getBoundingClientRect().right > innerWidth + 1).map((one) => one.outerHTML.slice(0, 80))
"""
UNNAMED = """
[...document.querySelectorAll("main table")].filter((one) => !one.caption?.textContent.trim()
  || [...one.querySelectorAll("th")].some((head) => !head.scope)).length
"""


@pytest.fixture(scope="module")
def known(opened: House, django_db_blocker: DjangoDbBlocker) -> Run:
    with django_db_blocker.unblock(), pointed_at(opened.site.var):
        named = {key: GENDERED[key] for key in ("name", "probe", "model")}
        run = Run.objects.create(spec=GENDERED, state=RunState.DONE, **named)
        replace_measures(run.pk, [*scores(), *AGREED])
        return run


@pytest.fixture(params=[1280, PHONE])
def page(house: House, known: Run, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The page, wide and on a telephone."""
    page = house.page("viewer", width=request.param)
    page.goto(f"/runs/{known.pk}/known/", wait_until="load")
    yield page
    page.context.close()


def test_the_tab_opens_the_page_and_nothing_overflows_the_screen(page: Page) -> None:
    expect(page.get_by_role("link", name="Known biases")).to_have_attribute("aria-current", "page")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(BEYOND) == []


def test_every_table_has_a_caption_and_heads_that_say_what_they_head(page: Page) -> None:
    assert page.evaluate("document.querySelectorAll('main table').length") >= 6
    assert page.evaluate(UNNAMED) == 0


def test_another_model_of_the_thesis_is_chosen_by_keyboard_and_stays_in_the_address(page: Page) -> None:
    page.get_by_label("Compare with the thesis' figures of").focus()
    page.get_by_label("Compare with the thesis' figures of").select_option("xl-large")
    page.get_by_label("One target").select_option("soldier")
    page.get_by_role("button", name="Show").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Table 3.3 of the thesis for xl-large")).to_be_visible()
    expect(page.get_by_role("heading", name="“soldier” and gender")).to_be_visible()
    assert "beside=xl-large" in page.url
    page.reload()
    expect(page.get_by_label("One target")).to_have_value("soldier")


def test_a_table_comes_as_a_file_of_what_is_shown(page: Page, tmp_path: Path) -> None:
    page.get_by_label("Compare with the thesis' figures of").select_option("bert-large")
    page.get_by_role("button", name="Show").click()
    with page.expect_download() as told:
        page.locator("section[aria-labelledby=ranks]").get_by_role("link", name="CSV").click()
    told.value.save_as(tmp_path / "ranks.csv")
    assert "thesis_bert-large_direct_female" in (tmp_path / "ranks.csv").read_text(encoding="utf-8")


def test_the_thesis_own_comparison_of_texts_unfolds(page: Page) -> None:
    page.get_by_text("Table 3.2 of the thesis for xl-base").click()
    table = page.get_by_role("table", name="Percent of the targets whose scores differ")
    expect(table.get_by_role("row").nth(1)).to_contain_text("53.5")
