"""How long the desk's main pages take to their first paint in Chromium, on the demo: the median of several loads.

    python bench/first_paint.py [TIMES]

In an installation of its own, which audits both bundled models first and leaves nothing behind. `first` is a browser
that has nothing in its cache, `again` one that was there before; milliseconds from the click to the first words.
"""

import os
import shutil
import statistics
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGES = {
    "overview": "/",
    "run": "/runs/{run}/",
    "explorer": "/runs/{run}/explorer/",
    "items": "/runs/{run}/items/",
}
# The entry comes with a frame, which may be later than the end of loading.
PAINTED = """
() => new Promise((done) => new PerformanceObserver((list) => {
  const entry = list.getEntriesByName("first-contentful-paint")[0];
  if (entry) done(entry.startTime);
}).observe({ type: "paint", buffered: true }))
"""


def main(times: int) -> None:
    from playwright.sync_api import sync_playwright

    from tests.browser.house import opened_house
    from tests.browser.screenshots import audited
    from tests.faults.conftest import pointed_at

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with opened_house(browser) as house, pointed_at(house.site.var):
            run = audited(house)
            print(f"{'page':10} {'first':>8} {'again':>8}")
            for name, address in PAGES.items():
                first, again = measured(house, address.format(run=run), times)
                print(f"{name:10} {first:5.0f} ms {again:5.0f} ms")
        browser.close()


def measured(house: Any, address: str, times: int) -> tuple[float, float]:
    """Milliseconds to the first contentful paint, without and with a filled cache."""
    first: list[float] = []
    again: list[float] = []
    for _ in range(times):
        page = house.page("viewer")
        session = page.context.new_cdp_session(page)
        session.send("Network.clearBrowserCache")
        for found in (first, again):
            page.goto(address, wait_until="load")
            found.append(page.evaluate(PAINTED))
        page.context.close()
    return statistics.median(first), statistics.median(again)


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "platform"), str(ROOT)]
    os.environ.pop("DATABASE_URL", None)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "plumbline.settings")
    os.environ["CELERY_BROKER_URL"] = "memory://"
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    import django

    django.setup()
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
