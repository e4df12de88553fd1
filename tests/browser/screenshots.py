"""`python -m tests.browser.screenshots`: the main pages with the real demo, light and dark, into docs/screenshots/.

Audits both bundled models in an installation of its own, which takes some minutes and leaves nothing behind.
"""

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.browser.house import House

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "screenshots"
PAGES = {
    "overview": "/",
    "runs": "/runs/",
    "run": "/runs/{run}/",
    "explorer": "/runs/{run}/explorer/",
    "items": "/runs/{run}/items/",
    "sql": "/sql/",
    "curating": "/admin/",
    "names": "/admin/vocab/name/",
}
DEMO = "gender over occupations"
NARROW = ("overview", "run", "explorer", "items")
PHONE = 390


def main() -> None:
    from playwright.sync_api import sync_playwright

    from tests.browser.house import opened_house
    from tests.faults.conftest import pointed_at

    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with opened_house(browser) as house, pointed_at(house.site.var):
            run = audited(house)
            for dark in (False, True):
                _take(house, run, dark=dark)
        browser.close()


def audited(house: "House") -> int:
    """The plans of the demo, launched and ended; the run of the causal model."""
    from plumbline.audits.launching import launch_plan
    from plumbline.audits.models import Plan

    runs = [launch_plan(plan) for plan in Plan.objects.filter(name__startswith=DEMO).order_by("pk")]
    for run in runs:
        if house.site.wait_for_end(run).state != "done":
            raise SystemExit(f"{run.state}: {run.error}")
    return int(max(runs, key=lambda run: run.planned_items or 0).pk)


def _take(house: "House", run: int, *, dark: bool) -> None:
    for width in (1280, PHONE):
        page = house.page("admin", dark=dark, width=width)
        for name, address in PAGES.items():
            if width == PHONE and name not in NARROW:
                continue
            page.goto(address.format(run=run), wait_until="networkidle")
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
    main()
