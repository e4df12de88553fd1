"""A whole installation behind real pages: database, web process, scheduler and worker, people of each role."""

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Group, User
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from plumbline import embedded
from plumbline.pages.roles import ROLES
from tests import migrated
from tests.faults.conftest import pointed_at
from tests.faults.site import Process, Site
from tests.patience import PAGE_PATIENCE
from tests.ports import answers, free_port
from tests.processes import forked
from tests.workers.execution.spec import ilps
from tests.workers.tiny import save_tiny_bert

GUNICORN = str(Path(sys.executable).with_name("gunicorn"))
PASSWORD = "plumb-line-and-bob"
SCRIPTS_FIRST = Path(__file__).with_name("scripts_first.js")
STRANGER = "nobody"
"""Somebody with an account and no role."""


def chromium_program() -> str | None:
    """Debian's Chromium: the one without a screen, which needs half of the processor's time, else the whole one."""
    return shutil.which("chromium-headless-shell") or shutil.which("chromium")


@dataclass
class House:
    """`model`: a reference to a small masked model that the web may name."""

    site: Site
    browser: Browser
    model: str
    address: str = ""
    web_processes: int = 1
    complaints: list[str] = field(default_factory=list)
    worker: Process = field(init=False)

    def open(self) -> None:
        """Start everything and let people in."""
        self._collect_static_files()
        hashed = make_password(PASSWORD)
        for name in (*ROLES, STRANGER):
            User.objects.create(username=name, password=hashed).groups.set(Group.objects.filter(name=name))
        port = free_port()
        self.address = f"http://127.0.0.1:{port}"
        environment = {
            "PORT": str(port),
            "WEB_CONCURRENCY": str(self.web_processes),
            "MODEL_ROOTS": str(Path(self.model.removeprefix("path:")).parent),
        }
        web = self.site.spawn("web", [GUNICORN], environment)
        self.site.scheduler()
        self.worker = self.site.worker()
        self.site.wait(lambda: answers(port), web)

    def _collect_static_files(self) -> None:
        collect = ("manage.py", "collectstatic", "--noinput", "--verbosity", "0")
        forked.run(*collect, env=self.site.environment()).check_returncode()

    def page(self, role: str = "", *, dark: bool = False, width: int = 1280, touch: bool = False) -> Page:
        """A page of a new browser session, in which somebody of this role has logged in."""
        context: BrowserContext = self.browser.new_context(
            base_url=self.address,
            color_scheme="dark" if dark else "light",
            viewport={"width": width, "height": 900},
            accept_downloads=True,
            has_touch=touch,
            is_mobile=touch,
        )
        context.set_default_timeout(PAGE_PATIENCE)
        context.add_init_script(path=SCRIPTS_FIRST)
        page = context.new_page()
        page.on("console", self._listen)
        page.on("pageerror", lambda error: self.complaints.append(f"{page.url}: {error}"))
        if role:
            page.goto("/login/")
            page.get_by_label("Username").fill(role)
            page.get_by_label("Password").fill(PASSWORD)
            page.get_by_role("button", name="Log in").click()
            page.wait_for_url(lambda url: "/login/" not in url)
        return page

    @contextmanager
    def paused_worker(self) -> Iterator[None]:
        """What is launched in the body waits, so that a page can show it waiting however quick the worker is."""
        os.killpg(self.worker.popen.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.killpg(self.worker.popen.pid, signal.SIGCONT)

    def _listen(self, message: ConsoleMessage) -> None:
        """What a browser complains of: scripts that fail, and what the content security policy stopped."""
        if message.type == "error" and "status of 40" not in message.text:
            self.complaints.append(f"{message.location.get('url')}: {message.text}")

    def spec(self, **changes: Any) -> dict[str, Any]:
        """An audit of this model that a worker ends in a few seconds."""
        return self.site.spec | {"model": self.model} | changes


@contextmanager
def opened_house(browser: Browser, web_processes: int = 1) -> Iterator[House]:
    """One with the starter vocabularies and plans, in a folder of its own; nothing of it is left at the end."""
    var = Path(tempfile.mkdtemp(prefix="plumbline-house-"))
    (var / "models").mkdir()
    model = save_tiny_bert(var / "models", seed=0)
    house = House(Site(var, ilps(model, name="pages")), browser, f"path:{model}", web_processes=web_processes)
    migrated.install(var, migrated.STARTED)
    embedded.start(var)
    try:
        with pointed_at(var):
            house.open()
        yield house
    finally:
        for process in house.site.processes:
            process.kill()
        embedded.stop(var)
        shutil.rmtree(var)
