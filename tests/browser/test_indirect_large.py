"""61,182 cells in a real browser: the first paint within a second, a sort within 100 ms, as the page measures them."""

from collections.abc import Callable, Iterator
from statistics import median

import pytest
from playwright.sync_api import Page, expect

from plumbline.audits.models import Run
from tests.browser.bridged import make_large_run
from tests.browser.house import House
from tests.faults.conftest import pointed_at

pytestmark = [pytest.mark.slow, pytest.mark.trial]

TARGETS, FEATURES = 99, 618
PAINT_MILLISECONDS, SORT_MILLISECONDS = 1000, 100
LOADS, ROUNDS, SERIES = 5, 3, 3
MEASURED = """([name, many]) => new Promise((done) => {
  const look = () => {
    const found = performance.getEntriesByName(name).map((one) => one.duration);
    found.length >= many ? done(found) : setTimeout(look, 5);
  };
  look();
})"""
"""Waits without eval, which the page's policy forbids."""


@pytest.fixture(scope="module")
def large(opened: House, django_db_blocker: object) -> Run:
    with django_db_blocker.unblock(), pointed_at(opened.site.var):  # type: ignore[attr-defined]
        return make_large_run(targets=TARGETS, features=FEATURES)


@pytest.fixture
def page(house: House, large: Run) -> Iterator[Page]:
    page = house.page("viewer")
    page.goto(f"/runs/{large.pk}/indirect/", wait_until="load")
    yield page
    page.context.close()


def hold(limit: float, series: Callable[[], list[float]]) -> None:
    """The median of a series is within the limit; a machine that is busy elsewhere is asked up to three times."""
    medians: list[float] = []
    while len(medians) < SERIES:
        medians.append(median(series()))
        if medians[-1] < limit:
            return
    pytest.fail(f"medians of {medians} ms, where {limit} ms is the limit")


def test_the_table_is_painted_within_a_second(page: Page) -> None:
    """From the start of the navigation to the frame with the cells: server, transfer, script and paint."""

    def loads() -> list[float]:
        taken = []
        for _ in range(LOADS):
            page.reload(wait_until="load")
            taken += page.evaluate(MEASURED, ["indirect-first-paint", 1])
        return taken

    hold(PAINT_MILLISECONDS, loads)
    expect(page.locator("#status")).to_have_text("99 of 99 targets × 618 of 618 features")


@pytest.mark.parametrize("words", [[], ["male", "female"]], ids=["alone", "with sensitive words beside"])
@pytest.mark.parametrize("key", ["s", "Shift+S"])
def test_each_of_the_three_clicks_sorts_within_a_tenth_of_a_second(page: Page, key: str, words: list[str]) -> None:
    """By values, by likeness, and as it was; from the key to the painted frame."""
    page.evaluate(MEASURED, ["indirect-first-paint", 1])
    for number, word in enumerate(words, start=1):
        page.locator(f"[name=sensitive{number}]").select_option(label=word)
    page.locator("#grid").focus()
    page.keyboard.press("ArrowRight")
    done = 0

    def sorts() -> list[float]:
        nonlocal done
        for _ in range(3 * ROUNDS):
            page.keyboard.press(key)
            done += 1
            taken = page.evaluate(MEASURED, ["indirect-sort", done])
        worst: list[float] = max((taken[-3 * ROUNDS :][stage::3] for stage in range(3)), key=median)
        return worst

    hold(SORT_MILLISECONDS, sorts)
    expect(page.locator("#status")).to_have_text("99 of 99 targets × 618 of 618 features")


def test_the_last_cell_is_reached_and_shown(page: Page) -> None:
    page.evaluate(MEASURED, ["indirect-first-paint", 1])
    page.locator("#grid").focus()
    page.keyboard.press("Control+End")
    expect(page.locator("#here")).to_contain_text("\u2068occupation 98\u2069 × \u2068trait 617\u2069: ")
    assert page.locator("#grid").evaluate("(one) => [one.scrollTop > 10000, one.scrollLeft > 1000]") == [True, True]
