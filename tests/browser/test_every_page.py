"""Every kind of page in a browser: axe-core finds no violation, and nothing is wider than the screen.

A change opens one page of each kind, in one theme and width. A trial opens all pages in both themes and widths.
"""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from plumbline.audits.models import Run
from tests.browser.house import House

pytestmark = pytest.mark.slow

AXE = (Path(__file__).parent / "axe/axe.min.js").read_text(encoding="utf-8")
FIND = """
async () => (await axe.run(document, {resultTypes: ["violations"]})).violations.map((one) =>
  `${one.id}: ${one.help}: ` + one.nodes.slice(0, 3).map((node) => `${node.target} ${node.failureSummary}`).join(" | "))
"""
WIDTHS = {"desk": 1280, "telephone": 390}
MODEL = "path:./some/%3Cmodel%3E"
PAGES = {
    "overview": ("/",),
    "list": ("/runs/", "/findings/", "/models/", "/plans/", "/queue/", "/inbox/", "/people/", "/api/tokens/"),
    "run": ("/runs/{run}/", "/runs/{run}/measures/", "/runs/{run}/provenance/", "/runs/{run}/findings/"),
    "figures": ("/runs/{run}/measures/?statistic=ilps", "/runs/{run}/items/", "/runs/{run}/profile/"),
    "grid": ("/runs/{run}/explorer/",),
    "one of a list": ("/plans/1/", f"/models/history/?reference={MODEL}", f"/models/agreement/?reference={MODEL}"),
    "text": ("/guide/", "/glossary/", "/law/", "/search/?q=women", "/annotation/surveys/wordings/"),
    "form": ("/sql/", "/sql/save/", "/annotation/surveys/new/", "/password/", "/second-factor/"),
    "empty": ("/bbq/", "/annotation/", "/annotation/surveys/", "/compare/"),
    "curating": ("/admin/", "/admin/audits/run/", "/admin/vocab/namelist/", "/admin/results/measure/"),
    "curating, editable table": ("/admin/vocab/sentencetemplate/?q=should",),
    "curating, form": (
        *("/admin/audits/schedule/add/", "/admin/audits/plan/1/change/", "/admin/auth/user/1/change/"),
        *("/admin/vocab/traitlist/1/change/", "/admin/audits/modelunderaudit/add/"),
    ),
    "curating, own page": ("/admin/vocab/namelist/import/", "/admin/vocab/namelist/changes/"),
}
CASES = [
    (kind, address, theme, screen)
    for kind, addresses in PAGES.items()
    for address, theme, screen in product(addresses, ("light", "dark"), WIDTHS)
]


@pytest.fixture(scope="module")
def screens(opened: House) -> Iterator[Callable[[str, str], Page]]:
    """A page for each theme and width, in which an admin has logged in."""
    made: list[Page] = []

    @cache
    def screen(theme: str, name: str) -> Page:
        made.append(opened.page("admin", dark=theme == "dark", width=WIDTHS[name]))
        return made[-1]

    yield screen
    for page in made:
        page.context.close()


@pytest.mark.sampled(by=["kind"])
@pytest.mark.parametrize(("kind", "address", "theme", "screen"), CASES)
def test_a_page_has_no_barrier_and_fits_the_screen(
    screens: Any, gridded: Run, kind: str, address: str, theme: str, screen: str
) -> None:
    page: Page = screens(theme, screen)
    answer = page.goto(address.format(run=gridded.pk), wait_until="networkidle")
    assert answer is not None
    assert answer.ok
    page.evaluate(AXE)
    assert page.evaluate(FIND) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[screen]
    assert page.locator("h1").count() == 1
    assert page.locator(".purpose").count() == 1
