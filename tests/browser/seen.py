"""What the pages of a failed test showed, for its report."""

from collections.abc import Iterator

from playwright.sync_api import Browser, Error, Page

LONGEST = 4000
"""Characters of one page."""


def pages_seen(browser: Browser) -> str:
    """Return the address of each open page and what a screen reader would say of it."""
    return "\n\n".join(_seen(browser))


def _seen(browser: Browser) -> Iterator[str]:
    for page in (page for context in browser.contexts for page in context.pages):
        yield f"{page.url}\n{_snapshot(page)[:LONGEST]}"


def _snapshot(page: Page) -> str:
    try:
        part = "main" if page.locator("main").count() else "body"
        return page.locator(part).aria_snapshot(timeout=5000)
    except Error as error:
        return f"shows nothing that can be read: {error}"
