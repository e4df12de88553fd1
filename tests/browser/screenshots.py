"""`python -m tests.browser.screenshots`: the main pages with the real demo, light and dark, into docs/screenshots/.

Audits the bundled models in an installation of its own, which takes some minutes and leaves nothing behind. With names
of pages, `python -m tests.browser.screenshots indirect`, these alone.
"""

import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from plumbline.audits.models import Run
    from tests.browser.house import House

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "screenshots"
PAGES = {
    "overview": "/",
    "runs": "/runs/",
    "run": "/runs/{run}/",
    "explorer": "/runs/{run}/explorer/",
    "indirect": "/runs/{indirect}/indirect/?list=traits&with=[[%22gender-words%22,%22female%22]]&sort={sort}"
    "&target=nurse&feature=caring",
    "known": "/runs/{indirect}/known/",
    "bbq": "/runs/{bbq}/bbq/",
    "items": "/runs/{run}/items/",
    "builder": "/plans/new/?method=ilps",
    "sql": "/sql/",
    "curating": "/admin/",
    "names": "/admin/vocab/name/",
}
DEMO = "gender over occupations"
NARROW = ("overview", "run", "explorer", "indirect", "known", "bbq", "items")
PHONE = 390
SCORE = "indirect_log_probability_bias"


def main(pages: Sequence[str]) -> None:
    """`pages`: names of PAGES; KeyError for another one."""
    from playwright.sync_api import sync_playwright

    from tests.browser.house import chromium_program, opened_house
    from tests.faults.conftest import pointed_at

    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_program(), args=["--no-sandbox"])
        with opened_house(browser) as house, pointed_at(house.site.var):
            addresses = {name: PAGES[name] for name in pages}
            runs = {kind: MADE[kind](house) for kind in _shown(addresses.values())}
            sort = sorted_by_caring(runs.get("indirect", 0))
            for dark in (False, True):
                _take(house, {name: one.format(**runs, sort=sort) for name, one in addresses.items()}, dark=dark)
        browser.close()


def audited(house: "House") -> int:
    """The plans of the demo, launched and ended; the run of the causal model."""
    from plumbline.audits.launching import launch_plan
    from plumbline.audits.models import Plan

    runs = [launch_plan(plan) for plan in Plan.objects.filter(name__startswith=DEMO).order_by("pk")]
    for run in runs:
        _done(house, run)
    return int(max(runs, key=lambda run: run.planned_items or 0).pk)


def bridged(house: "House") -> int:
    """A small indirect run over occupations and traits."""
    from plumbline.audits.launching import launch
    from plumbline.spec.audit import parse
    from tests.browser.study import OCCUPATIONS

    run = launch(parse(OCCUPATIONS))
    _done(house, run)
    return int(run.pk)


def questioned(house: "House") -> int:
    """The starter questions of BBQ, asked of the multiple-choice model."""
    from plumbline.audits.launching import launch_plan
    from plumbline.audits.models import Plan

    run = launch_plan(Plan.objects.get(name="BBQ, starter questions"))
    _done(house, run)
    return int(run.pk)


MADE = {"run": audited, "indirect": bridged, "bbq": questioned}
"""The runs that pages show."""


def _shown(addresses: Iterable[str]) -> set[str]:
    """The kinds of runs; a page of none in particular shows the demo's."""
    return set[str]().union(*({kind for kind in MADE if f"{{{kind}}}" in one} or {"run"} for one in addresses))


def sorted_by_caring(indirect: int) -> str:
    """How the address of the bridge explorer says so."""
    source = {"run": indirect, "statistic": SCORE, "variant": "", "list": "traits"}
    return quote(json.dumps({"axis": "row", "word": "caring", "how": "value", "from": source}))


def _done(house: "House", run: "Run") -> None:
    if house.site.wait_for_end(run).state != "done":
        raise SystemExit(f"{run.state}: {run.error}")


def _take(house: "House", addresses: Mapping[str, str], *, dark: bool) -> None:
    for width in (1280, PHONE):
        page = house.page("admin", dark=dark, width=width)
        for name, address in addresses.items():
            if width == PHONE and name not in NARROW:
                continue
            page.goto(address, wait_until="networkidle")
            suffix = f"{'dark' if dark else 'light'}{'-390' if width == PHONE else ''}"
            page.screenshot(path=FOLDER / f"{name}-{suffix}.png")
            sys.stdout.write(f"{name}-{suffix}.png\n")
        page.context.close()


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
    os.environ.pop("DATABASE_URL", None)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plumbline.settings")
    os.environ["CELERY_BROKER_URL"] = "memory://"
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    import django

    django.setup()
    main(sys.argv[1:] or list(PAGES))
