"""From a run's agreement with people to a group's profile, to the grid by dimension, and to what people said."""

import csv
import io
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

from plumbline.audits.models import Run
from tests.browser.house import House
from tests.plumbline.analyses.alignment.judged import ALONE, GROUPS, MARKED, PAIRS, make_run

pytestmark = pytest.mark.slow

WIDE = "document.documentElement.scrollWidth"


@pytest.fixture
def judged(house: House) -> Run:
    return make_run()


def file_of(page: Page, link: str) -> str:
    with page.expect_download() as download:
        page.get_by_role("link", name=link).click()
    return Path(download.value.path()).read_text()


def test_a_viewer_walks_from_the_agreement_to_a_group_and_takes_its_picture(house: House, judged: Run) -> None:
    page = house.page("viewer")
    page.goto(f"/runs/{judged.pk}/")
    page.get_by_role("link", name="People", exact=True).click()
    expect(page.get_by_role("heading", name="The model compared with chance, a baseline and people")).to_be_visible()
    page.get_by_label("Raters").select_option("gender: woman")
    page.get_by_label("Sort").select_option("by group")
    page.get_by_role("button", name="Show").click()
    expect(page).to_have_url(re.compile("raters=gender.*order=group"))
    page.get_by_role("link", name=MARKED).first.click()
    expect(page.get_by_role("heading", name=f"Profile of {MARKED}")).to_be_visible()
    drawing = page.get_by_role("img", name="Profile of")
    assert drawing.locator(".dot").count() == drawing.locator(".ring").count() == len(PAIRS)
    told = ElementTree.fromstring(file_of(page, "Picture (SVG)"))  # noqa: S314 -- our own
    assert judged.model in " ".join(told.itertext())
    lines = [line for line in file_of(page, "Data (CSV)").splitlines() if not line.startswith("#")]
    assert len(list(csv.DictReader(io.StringIO("\n".join(lines))))) == len(PAIRS)
    for _ in GROUPS[GROUPS.index(MARKED) + 1 :]:
        page.locator("a[rel=next]").click()
    expect(page.get_by_text("Nobody rated this group")).to_be_visible()
    expect(page.get_by_role("heading", name=f"Profile of {ALONE}")).to_be_visible()


def test_the_address_holds_the_grid_of_pairs_and_its_dimension(house: House, judged: Run) -> None:
    page = house.page("viewer")
    page.goto(f"/runs/{judged.pk}/explorer/")
    page.get_by_label("Statistic").select_option("Right pole minus left pole of each pair")
    expect(page.locator("#status")).to_contain_text(f"{len(GROUPS)} rows × {len(PAIRS)} of {len(PAIRS)} attributes")
    page.get_by_label("List or dimension").select_option("Communion")
    page.get_by_role("button", name="As a table").click()
    heads = page.locator("#table th[scope=colgroup]")
    expect(heads).to_have_text(["Communion"])
    page.reload()
    expect(page.locator("#status")).to_contain_text(f"2 of {len(PAIRS)} attributes")
    page.get_by_role("application").press("Enter")
    expect(page.get_by_role("complementary", name="The cell")).to_contain_text("Open the items of cold")


@pytest.mark.parametrize("address", ["people/", "profile/", "profile/?group=weavers"])
def test_the_pages_fit_a_telephone(address: str, house: House, judged: Run) -> None:
    page = house.page("viewer", width=390, dark=True)
    page.goto(f"/runs/{judged.pk}/{address}")
    assert page.evaluate(WIDE) <= 390


def test_ratings_fit_a_telephone_and_lead_from_a_group_to_a_pair(house: House) -> None:
    page = house.page("viewer", width=390)
    page.goto("/vocabularies/ratings/abc-ratings/?group=men")
    assert page.evaluate(WIDE) <= 390
    page.get_by_role("link", name="wealthy").click()
    expect(page.get_by_role("heading", name="All groups on poor - wealthy")).to_be_visible()
