"""The bridge explorer with a worker behind it: the map of the targets, a word added now, and what a reader expects."""

import csv
import io
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, Page, Route, expect
from pytest_django.plugin import DjangoDbBlocker

from plumbline.audits.launching import launch
from plumbline.audits.models import AddedWord, Run
from plumbline.audits.states import LIVE, RunState
from plumbline.methods.indirect.beliefs import PriorBelief
from plumbline.spec.audit import parse
from tests.browser.bridge_board import WIDE, BridgeBoard
from tests.browser.house import House
from tests.faults.conftest import pointed_at
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

TARGETS = ["nurse", "doctor", "soldier", "teacher", "farmer", "lawyer"]
FEATURES = ["kind", "strong", "honest", "lazy", "clever", "quiet"]
NAMES = [
    "Anna", "Ben", "Emma", "Frank", "Grace", "Henry", "Jack", "Alice", "George", "Mary", "John", "Susan", "Peter",
    "Laura", "David", "Sarah", "Thomas", "Helen", "James", "Ruth", "Paul", "Jane", "Mark", "Linda", "Robert", "Julia",
]  # fmt: skip
SPEC: dict[str, Any] = {
    "name": "words added now",
    "probe": "indirect",
    "model": "bundled:masked-demo",
    "targets": {"inline": [{"text": one, "plural": f"{one}s"} for one in TARGETS]},
    "features": {"inline": FEATURES},
    "bridge": {"inline": NAMES},
    "templates": {
        "target_bridge": ["{name} works as {a target}.", "{name} is one of the {target.plural}."],
        "bridge_feature": ["{name} is {feature}."],
    },
    "sensitive": [{"attributes": {"inline": ["male", "female"]}, "bridge_feature": ["{name} is {feature}."]}],
    "params": {"resamples": 100},
}


@pytest.fixture(scope="module")
def run(opened: House, django_db_blocker: DjangoDbBlocker) -> Run:
    """Of the bundled model, done by the worker of the house, which has it loaded from then on."""
    with django_db_blocker.unblock(), pointed_at(opened.site.var):
        made = launch(parse(SPEC))
        until = time.monotonic() + PATIENCE
        while made.state in LIVE and time.monotonic() < until:
            time.sleep(0.2)
            made.refresh_from_db()
        assert (made.state, made.error) == (RunState.DONE, "")
    return made


@pytest.fixture
def board(house: House, run: Run) -> Iterator[BridgeBoard]:
    yield board_of(house, run, "auditor")
    AddedWord.objects.all().delete()
    PriorBelief.objects.all().delete()


def board_of(house: House, run: Run, role: str) -> BridgeBoard:
    return BridgeBoard(house.page(role, width=WIDE), f"/runs/{run.pk}/indirect/")


def the_map(page: Page) -> Locator:
    return page.locator("#indirect-map")


def laid_out(page: Page) -> Locator:
    the_map(page).get_by_role("button", name="Lay out the targets").click()
    expect(the_map(page)).to_have_attribute("data-state", "done")
    return the_map(page).get_by_role("application")


def saved(page: Page, name: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return Path(download.value.path()).read_text(encoding="utf-8")


def test_the_targets_are_on_a_map_that_a_worker_laid_out(board: BridgeBoard) -> None:
    page = board.open()
    expect(the_map(page)).to_have_attribute("data-state", "unasked")
    paper = laid_out(page)
    expect(the_map(page).get_by_role("status")).to_contain_text("6 targets by their scores with 6 features")
    expect(the_map(page).get_by_role("status")).to_contain_text("lowered from 5")
    page.get_by_label("Layout").select_option("Principal components")
    expect(the_map(page).get_by_role("status")).to_contain_text("of the variance")
    page.get_by_label("Colour by").select_option("female")
    paper.focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#map-here")).to_contain_text(re.compile("(nurse|doctor|soldier|teacher|farmer|lawyer): [+-]"))
    page.keyboard.press("+")
    expect(page).to_have_url(re.compile("map_at="))
    page.get_by_text("The places as a table").click()
    places = the_map(page).get_by_role("rowheader")
    expect(places).to_have_text(TARGETS)
    address = page.url
    page.goto(address)
    expect(the_map(page)).to_have_attribute("data-state", "done")
    expect(page.get_by_label("Colour by")).to_have_value('["sensitive","female"]')
    picture = ElementTree.fromstring(saved(page, "Map (SVG)"))  # noqa: S314 -- our own
    texts = " ".join(text for text in picture.itertext())
    assert all(target in texts for target in TARGETS)
    assert "of the variance" in texts
    page.keyboard.press("/")
    page.keyboard.type("nur")
    expect(page.get_by_label("Find a target")).to_have_value("nur")
    the_map(page).get_by_role("application").focus()
    page.keyboard.press("ArrowLeft")
    target = page.locator("#map-here").inner_text().split(":")[0]
    page.keyboard.press("Enter")
    expect(board.bars).to_contain_text(target)


def test_scripts_that_come_after_the_table_know_what_it_shows(board: BridgeBoard) -> None:
    page, late = board.page, list[Route]()
    page.route(re.compile(r"/indirect/(map|words)\b[^/]*\.js"), lambda route: late.append(route))
    page.goto(board.address, wait_until="commit")
    expect(board.root).to_have_attribute("data-state", "shown")
    for route in late:
        route.continue_()
    expect(page.locator("#word-form").get_by_label("Plural")).to_be_visible()
    laid_out(page)


def test_a_word_is_in_the_table_seconds_after_it_was_typed(board: BridgeBoard) -> None:
    page = board.open()
    expect(board.status).to_have_text("6 of 6 targets × 6 of 6 features")
    form, said = page.locator("#word-form"), page.locator("#indirect-words .said")
    form.get_by_label("Word").fill("Nurse")
    form.get_by_label("Plural").fill("nurses")
    page.get_by_role("button", name="Ask the model").click()
    expect(said).to_contain_text("'nurse' is one of the run's targets already")
    form.get_by_label("Word").fill("<b>baker</b>")
    form.get_by_label("Plural").fill("bakers")
    page.get_by_role("button", name="Ask the model").click()
    word = page.locator('#indirect-words li[data-word="<b>baker</b>"]')
    expect(word).to_have_attribute("data-state", "done")
    expect(board.status).to_have_text("7 of 7 targets × 6 of 6 features")
    expect(page.locator("#table").get_by_role("columnheader", name="<b>baker</b> (added)")).to_be_visible()
    small = AddedWord.objects.get().small
    assert small.finished_at is not None
    assert (small.finished_at - small.created_at).total_seconds() < PATIENCE
    page.get_by_role("button", name="Show it").click()
    expect(board.bars).to_contain_text("<b>baker</b>")
    word.get_by_role("button", name="Take away").click()
    expect(board.status).to_have_text("6 of 6 targets × 6 of 6 features")
    page.get_by_role("button", name="Undo").click()
    expect(board.status).to_have_text("7 of 7 targets × 6 of 6 features")


def test_a_feature_is_added_and_one_that_splits_is_reported(board: BridgeBoard) -> None:
    page = board.open()
    form = page.locator("#word-form")
    for word, state in (("brave", "done"), ("zylophonic", "failed")):
        form.get_by_label("As a").select_option("feature")
        expect(form.get_by_label("Plural")).to_be_hidden()
        form.get_by_label("Word").fill(word)
        page.get_by_role("button", name="Ask the model").click()
        added = page.locator(f'#indirect-words li[data-word="{word}"]')
        expect(added).to_have_attribute("data-state", state)
    expect(added).to_contain_text("cannot be scored as a feature: split into")
    expect(board.status).to_have_text("6 of 6 targets × 7 of 7 features")
    page.mouse.click(*board.at_cell(0, 0))
    expect(board.drawer.get_by_role("heading", level=2)).to_have_text("doctor × brave")
    expect(board.drawer.locator("circle")).to_have_count(len(NAMES))


def test_a_reader_says_what_they_expect_and_then_sees_the_score(house: House, run: Run, board: BridgeBoard) -> None:
    own = board_of(house, run, "viewer")
    page = own.open()
    expect(page.locator("#word-form")).to_have_count(0)
    page.get_by_label("Ask me first").check()
    expect(own.here).to_be_hidden()
    page.mouse.click(*own.at_cell(0, 0))
    expect(own.drawer.get_by_text("What do you expect of")).to_be_visible()
    expect(own.drawer.locator("#figures")).to_be_hidden()
    own.drawer.get_by_label("they are linked with other first names").check()
    own.drawer.get_by_label("Why, if you like").fill("<i>because</i>")
    own.drawer.get_by_role("button", name="Store it and show the score").click()
    expect(own.drawer.get_by_text("You expected: tied to other first names. “<i>because</i>”")).to_be_visible()
    expect(own.drawer.locator("#figures")).to_be_visible()
    page.keyboard.press("Escape")
    page.mouse.click(*own.at_cell(1, 0))
    own.drawer.get_by_role("button", name="Only show the score").click()
    expect(own.drawer.locator("#figures")).to_be_visible()
    page.get_by_label("Ask me first").uncheck()
    expect(own.here).to_be_visible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Prior beliefs (CSV)").click()
    (row,) = csv.DictReader(io.StringIO(Path(download.value.path()).read_text(encoding="utf-8")))
    assert (row["target"], row["expects"], row["person"]) == ("doctor", "apart", "viewer")
    assert row["score"]
