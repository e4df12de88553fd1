"""The page of an indirect run in one browser session, as tests read and touch it."""

from playwright.sync_api import Locator, Page, expect

from tests.browser.grid_board import GridBoard

WIDE = 1800
"""Pixels: the cells keep their full width also beside panel and drawer."""


class BridgeBoard(GridBoard):
    def open(self, query: str = "", shown: str = "") -> Page:
        """The page anew, until its table is there; `shown`: what it says of it."""
        self.page.goto(self.address + query, wait_until="load")
        expect(self.root).to_have_attribute("data-state", "shown")
        if shown:
            expect(self.status).to_have_text(shown)
        self.page.get_by_role("button", name="As a table").click()
        return self.page

    @property
    def root(self) -> Locator:
        return self.page.locator("#indirect")

    @property
    def panel(self) -> Locator:
        return self.page.locator("#panel")

    @property
    def bars(self) -> Locator:
        return self.page.locator("#bars")

    def rows(self, *labels: str) -> None:
        expect(self.page.locator("#table").get_by_role("rowheader")).to_have_text(list(labels))

    def columns(self, *labels: str) -> None:
        expect(self.page.locator("#table").get_by_role("columnheader")).to_have_text(["Feature", *labels])

    def told(self, title: str) -> list[str]:
        """The words of one of the panel's lists."""
        return self.panel.get_by_role("list", name=title, exact=True).get_by_role("button").all_inner_texts()

    def click_column(self, number: int, *modifiers: str) -> None:
        self._click(self.at_column(number), *modifiers)

    def click_row(self, number: int, *modifiers: str) -> None:
        self._click(self.at_row(number), *modifiers)

    def _click(self, place: tuple[float, float], *modifiers: str) -> None:
        for key in modifiers:
            self.page.keyboard.down(key)
        self.page.mouse.click(*place)
        for key in modifiers:
            self.page.keyboard.up(key)

    def counted(self) -> tuple[int, int]:
        columns, rows = super().counted()
        return rows, columns
