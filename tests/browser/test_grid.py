"""The explorer's grid under keys, pointer and address, as its own table tells what it shows."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page, expect

from plumbline.audits.models import Run
from tests.browser.grid_board import GridBoard
from tests.browser.gridded import (
    ARABIC,
    ATTRIBUTES,
    HEBREW,
    HIDDEN,
    MARKUP,
    MODEL,
    NAME,
    SCRIPT,
    SHOWN_GROUPS,
    SHOWN_HIDDEN,
)
from tests.browser.house import House

pytestmark = pytest.mark.slow

ALL_SHOWN = "4 of 4 rows × 6 of 6 attributes"
CAVEAT = "what the model associates, not what people are"


class Board(GridBoard):
    def open(self, query: str = "", shown: str = ALL_SHOWN) -> Page:
        self.page.goto(self.address + query)
        expect(self.status).to_have_text(shown)
        self.page.get_by_role("button", name="As a table").click()
        return self.page

    @property
    def grid(self) -> Locator:
        return self.page.get_by_role("application")

    def rows(self, *labels: str) -> None:
        expect(self.page.get_by_role("rowheader")).to_have_text(list(labels))

    def columns(self, *labels: str) -> None:
        expect(self.page.get_by_role("columnheader")).to_have_text(["Group", *labels])


@pytest.fixture(scope="module")
def session(opened: House, gridded: Run) -> Iterator[Board]:
    page = opened.page("viewer")
    yield Board(page, f"/runs/{gridded.pk}/explorer/")
    page.context.close()


@pytest.fixture
def board(session: Board, opened: House) -> Iterator[Board]:
    """The browser must not have complained of anything."""
    yield session
    complaints, opened.complaints = opened.complaints, []
    assert not complaints


def test_a_header_sorts_by_values_then_by_likeness_then_as_it_was(board: Board) -> None:
    page = board.open()
    page.mouse.click(*board.at_column(0))
    expect(board.status).to_have_text(f"{ALL_SHOWN}, sorted by “warm”")
    board.rows(ARABIC, "women", SHOWN_HIDDEN, MARKUP)
    page.mouse.click(*board.at_column(0))
    expect(board.status).to_have_text(f"{ALL_SHOWN}, sorted by likeness to “warm”")
    board.rows(*SHOWN_GROUPS)
    board.columns("warm", SCRIPT, "rich", HEBREW, "poor", "cold")
    page.mouse.click(*board.at_column(0))
    expect(board.status).to_have_text(ALL_SHOWN)
    board.columns(*ATTRIBUTES)
    assert "sort" not in page.url


def test_a_slash_finds_groups_and_attributes_and_esc_goes_back(board: Board) -> None:
    page = board.open()
    page.keyboard.press("/")
    expect(page.get_by_label("Find ( / )")).to_be_focused()
    page.keyboard.type("r")
    expect(board.here).to_have_text(re.compile("^1 of 5: "))
    page.keyboard.type("ic")
    expect(board.here).to_have_text("1 of 1: rich")
    page.keyboard.press("Escape")
    expect(board.grid).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(board.here).to_contain_text("rich")


def test_keys_move_open_close_and_sort(board: Board) -> None:
    page = board.open()
    board.grid.focus()
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowDown"):
        page.keyboard.press(key)
    expect(board.here).to_contain_text("× \u2068poor\u2069: +1.00 [+0.70, +1.30]  n = 3  q = 0.01")
    page.keyboard.press("Enter")
    expect(board.drawer).to_be_focused()
    expect(board.drawer.get_by_role("heading", level=2)).to_have_text(f"{MARKUP} × poor")
    page.keyboard.press("Escape")
    expect(board.drawer).to_be_hidden()
    expect(board.grid).to_be_focused()
    page.keyboard.press("s")
    expect(board.status).to_have_text(f"{ALL_SHOWN}, sorted by “poor”")
    board.rows(SHOWN_HIDDEN, MARKUP, ARABIC, "women")
    expect(board.here).to_contain_text("poor")
    page.keyboard.press("Shift+S")
    board.columns("poor", "rich", HEBREW, "cold", SCRIPT, "warm")
    page.keyboard.press("Control+End")
    page.keyboard.press("Alt+ArrowLeft")
    board.columns("poor", "rich", HEBREW, "cold", "warm", SCRIPT)


def test_a_dragged_header_takes_its_column_along(board: Board) -> None:
    page = board.open()
    page.mouse.move(*board.at_column(0))
    page.mouse.down()
    page.mouse.move(*board.at_column(1))
    page.mouse.move(*board.at_column(2.4))
    page.mouse.up()
    board.columns("cold", "poor", "warm", SCRIPT, HEBREW, "rich")
    assert "moves=c0-3" in page.url
    page.reload()
    expect(board.status).to_have_text(ALL_SHOWN)
    page.get_by_role("button", name="As a table").click()
    board.columns("cold", "poor", "warm", SCRIPT, HEBREW, "rich")
    page.get_by_role("button", name="Reset").click()
    board.columns(*ATTRIBUTES)


def test_the_address_holds_the_whole_view(board: Board) -> None:
    page = board.open()
    page.get_by_label("Attributes with").fill("r")
    page.get_by_label("Only with an effect that is present").check()
    board.columns("warm", "poor", SCRIPT, "rich")
    page.mouse.click(*board.at_column(0))
    page.mouse.click(*board.at_cell(0, 1))
    expect(board.drawer.get_by_role("heading", level=2)).to_have_text(f"{ARABIC} × poor")
    sorted_so = "4 of 4 rows × 4 of 6 attributes, sorted by “warm”"
    expect(board.status).to_have_text(sorted_so)
    board.open("?" + page.url.split("?")[1], shown=sorted_so)
    board.rows(ARABIC, "women", SHOWN_HIDDEN, MARKUP)
    board.columns("warm", "poor", SCRIPT, "rich")
    expect(page.get_by_label("Attributes with")).to_have_value("r")
    expect(page.get_by_label("Only with an effect that is present")).to_be_checked()
    expect(board.drawer.get_by_role("heading", level=2)).to_have_text(f"{ARABIC} × poor")


def test_files_carry_title_model_date_n_and_the_caveat(board: Board) -> None:
    page = board.open()
    drawn = _texts(_saved(page, "Picture (SVG)"))
    assert f"Score of each group: {NAME}" in drawn
    told = " ".join(drawn)
    for part in (MODEL, "2026-02-03", "n = 3 items a cell", "natural log", CAVEAT):
        assert part in told
    picture = _saved(page, "Picture (PNG)").read_bytes()
    assert picture.startswith(b"\x89PNG\r\n")
    assert int.from_bytes(picture[16:20], "big") >= 2 * 640
    with page.expect_download() as asked:
        page.get_by_role("link", name="All cells (CSV)").click()
    lines = list(csv.reader(io.StringIO(Path(asked.value.path()).read_text(encoding="utf-8"))))
    about = {line[0]: line[1] for line in lines if line[0].startswith("# ")}
    assert about["# title"] == f"Score of each group: {NAME}"
    assert (about["# model"], about["# date"]) == (MODEL, "2026-02-03")
    assert CAVEAT in about["# caveat"]
    assert lines[len(about)][:3] == ["group_a", "group_b", "attribute"]
    assert [HIDDEN, SCRIPT] in [[line[0], line[2]] for line in lines[len(about) :]]


def test_labels_are_shown_literally_in_grid_drawer_strip_and_picture(board: Board) -> None:
    page = board.open()
    board.rows(*SHOWN_GROUPS)
    board.columns(*ATTRIBUTES)
    for row, group in enumerate(SHOWN_GROUPS):
        page.mouse.click(*board.at_cell(row, 3))
        expect(board.here).to_contain_text(f"\u2068{group}\u2069 × \u2068{SCRIPT}\u2069: ")
        expect(board.drawer.get_by_role("heading", level=2)).to_have_text(f"{group} × {SCRIPT}")
        expect(board.drawer.locator("svg title")).to_have_text(group)
        expect(board.drawer.get_by_role("listitem").first).to_contain_text(f"All {group} are {SCRIPT}.")
        expect(board.drawer.locator("script, b")).to_have_count(0)
        page.keyboard.press("Escape")
    drawn = _texts(_saved(page, "Picture (SVG)"))
    assert [text for text in drawn if text in SHOWN_GROUPS] == SHOWN_GROUPS
    assert [text for text in drawn if text in ATTRIBUTES] == ATTRIBUTES


def _saved(page: Page, button: str) -> Path:
    with page.expect_download() as asked:
        page.get_by_role("button", name=button).click()
    return Path(asked.value.path())


def _texts(picture: Path) -> list[str]:
    """What an SVG file says, element by element; a file that is no XML is a fault."""
    root = ElementTree.parse(picture).getroot()  # noqa: S314 -- our own file
    assert {one.tag.rpartition("}")[2] for one in root.iter()} <= {"svg", "g", "rect", "path", "text", "clipPath"}
    return [one.text or "" for one in root.iter() if one.tag.endswith("}text")]
