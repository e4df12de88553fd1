"""Pages in a real browser, served by a real installation."""

import os
from collections.abc import Generator, Iterator

import pytest
from django.db import connections
from playwright.sync_api import Browser, expect, sync_playwright
from pytest_django.plugin import DjangoDbBlocker

from plumbline.audits.models import Run
from tests.browser.gridded import make_run
from tests.browser.house import House, chromium_program, opened_house
from tests.browser.seen import pages_seen
from tests.faults.conftest import pointed_at
from tests.patience import PAGE_PATIENCE


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the open pages of a failed test in its report."""
    report = yield
    browser = getattr(item, "funcargs", {}).get("browser")
    if report.failed and report.when == "call" and browser is not None:
        report.sections.append(("Open pages", pages_seen(browser)))
    return report


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Under CI_SERVICES=required it must be there."""
    program = chromium_program()
    if program is None:
        if os.environ.get("CI_SERVICES") == "required":
            pytest.fail("chromium is not installed, and CI_SERVICES=required")
        pytest.skip("chromium is not installed")
    with sync_playwright() as playwright:
        # Its event loop lives in this thread, where Django then refuses the database.
        os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
        expect.set_options(timeout=PAGE_PATIENCE)
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield chromium
        chromium.close()
        # Beside the running event loop Django has connections of its own. Without it nobody reaches them any more, and
        # the database of the tests could not be dropped.
        connections.close_all()
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="package")
def opened(browser: Browser, django_db_blocker: DjangoDbBlocker) -> Iterator[House]:
    """Closed after the last test of this folder: its idle processes take a twentieth of a core."""
    with django_db_blocker.unblock(), opened_house(browser) as house:
        yield house


@pytest.fixture(scope="package")
def gridded(opened: House, django_db_blocker: DjangoDbBlocker) -> Run:
    """The run of tests/browser/gridded.py, for all who only look at it."""
    with django_db_blocker.unblock(), pointed_at(opened.site.var):
        return make_run()


@pytest.fixture
def house(opened: House, django_db_blocker: DjangoDbBlocker) -> Iterator[House]:
    """Its database is Django's while a test runs. At the end the browser must not have complained of anything."""
    with django_db_blocker.unblock(), pointed_at(opened.site.var):
        yield opened
    for context in opened.browser.contexts:
        context.close()
    complaints, opened.complaints = opened.complaints, []
    assert not complaints
