"""The web process killed while somebody launches: there is a whole run, or none."""

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, build_opener

import pytest
from django.contrib.auth.models import User

from plumbline.audits.models import ModelUnderAudit, Phase, Plan, Run, Snapshot
from tests.faults.activity import blocked, in_transactions
from tests.faults.messages import silence
from tests.faults.site import Site
from tests.patience import PATIENCE
from tests.ports import answers, free_port

pytestmark = pytest.mark.slow

GUNICORN = str(Path(sys.executable).with_name("gunicorn"))
SECRET = "a-long-one-for-the-tests"


class Web:
    """The web process as it is deployed, and a browser that is logged in as a superuser."""

    def __init__(self, site: Site, **environment: str) -> None:
        port = free_port()
        self.address = f"http://127.0.0.1:{port}/admin/"
        self.process = site.spawn("web", [GUNICORN], {"PORT": str(port), "WEB_CONCURRENCY": "1", **environment})
        site.wait(lambda: answers(port), self.process)
        self.cookies = CookieJar()
        self.browser: OpenerDirector = build_opener(HTTPCookieProcessor(self.cookies))
        self.post("login/", username="auditor", password=SECRET, next="/admin/")
        assert {cookie.name for cookie in self.cookies} == {"csrftoken", "sessionid"}

    def post(self, page: str, **fields: Any) -> str:
        self.browser.open(self.address + page, timeout=PATIENCE).close()
        token = next(cookie.value for cookie in self.cookies if cookie.name == "csrftoken")
        body = urlencode({"csrfmiddlewaretoken": token, **fields}).encode()
        with self.browser.open(self.address + page, body, timeout=PATIENCE) as answer:
            return str(answer.read().decode())

    def launch(self, plan: Plan) -> str:
        return self.post("audits/plan/", action="launch_now", _selected_action=plan.pk)


@pytest.fixture
def plan(site: Site, spec: dict[str, Any]) -> Iterator[Plan]:
    """Alone, without earlier runs whose answers could be used again."""
    Run.objects.all().delete()
    for kind in (Snapshot, ModelUnderAudit, User):
        kind.objects.all().delete()
    User.objects.create_superuser("auditor", password=SECRET)
    yield Plan.objects.create(name="disturbed", spec=spec)
    Plan.objects.all().delete()
    User.objects.all().delete()


@pytest.fixture
def meanwhile() -> Iterator[Callable[..., "Future[str]"]]:
    with ThreadPoolExecutor() as threads:
        yield threads.submit


def test_killed_in_mid_launch_it_leaves_nothing(
    site: Site, plan: Plan, meanwhile: Callable[..., "Future[str]"]
) -> None:
    web = Web(site)
    with site.locked("audits_phase"):
        answer = meanwhile(web.launch, plan)
        site.wait(lambda: blocked() == 1)
        web.process.kill()
    assert answer.exception(60) is not None
    site.wait(lambda: in_transactions() == 0)
    assert [kind.objects.count() for kind in (Run, Phase, Snapshot, ModelUnderAudit)] == [0, 0, 0, 0]

    again = Web(site).launch(plan)
    run = Run.objects.get()
    assert f"run {run.pk}" in again
    assert (run.state, run.phases.count()) == ("planning", 4)


def test_killed_before_its_message_arrived_the_run_is_found_by_the_sweep(
    site: Site, plan: Plan, undisturbed: str, meanwhile: Callable[..., "Future[str]"]
) -> None:
    site.worker()
    with silence() as port:
        web = Web(site, CELERY_BROKER_URL=f"redis://127.0.0.1:{port}/0")
        answer = meanwhile(web.launch, plan)
        site.wait(Run.objects.exists, web.process)
        assert not answer.done()
        web.process.kill()
    assert answer.exception(60) is not None
    run = Run.objects.get()
    assert run.state == "planning"
    site.scheduler()
    assert site.wait_for_end(run).state == "done", run.error
    assert site.digest(run) == undisturbed
