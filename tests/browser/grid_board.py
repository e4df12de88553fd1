"""What pages with a grid on a canvas have in common, as tests read and touch it."""

import re
from dataclasses import dataclass

from playwright.sync_api import FloatRect, Locator, Page

WIDEST, ROW = 56, 24
"""Pixels of a cell: the grids of tests have more room than they take."""


@dataclass
class GridBoard:
    """One page in one browser session, which every test loads anew."""

    page: Page
    address: str

    @property
    def status(self) -> Locator:
        return self.page.locator("#status")

    @property
    def here(self) -> Locator:
        """What the page says about the current cell."""
        return self.page.locator("#here")

    @property
    def grid(self) -> Locator:
        return self.page.locator("#grid")

    @property
    def drawer(self) -> Locator:
        return self.page.get_by_role("complementary", name="The cell")

    def counted(self) -> tuple[int, int]:
        """Rows and columns, as the page tells them: rows first."""
        rows, columns = map(int, re.findall(r"(\d+) of", self.status.inner_text())[:2])
        return rows, columns

    def at_column(self, number: float) -> tuple[float, float]:
        """Where a column's header is on the page."""
        box, head, _ = self._layout()
        return box["x"] + head + (number + 0.5) * WIDEST, box["y"] + 30

    def at_row(self, number: float) -> tuple[float, float]:
        """Below zero: of the pinned rows."""
        box, _, top = self._layout()
        return box["x"] + 20, box["y"] + top + (number + 0.5) * ROW

    def at_cell(self, row: int, column: int) -> tuple[float, float]:
        return self.at_column(column)[0], self.at_row(row)[1]

    def _layout(self) -> tuple[FloatRect, float, float]:
        self.grid.scroll_into_view_if_needed()
        sheet = self.grid.locator(".sheet").bounding_box()
        assert sheet is not None
        rows, columns = self.counted()
        return sheet, sheet["width"] - columns * WIDEST, sheet["height"] - rows * ROW
