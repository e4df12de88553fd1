"""Finished runs with hostile labels, people who decided about them, and reports as a reader gets them."""

import re
from collections.abc import Callable
from ctypes.util import find_library
from html import unescape
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client

from plumbline.audits.launching import launch
from plumbline.audits.models import Plan, Run
from plumbline.audits.states import RunState
from plumbline.findings.updating import update
from plumbline.reports.documents import on_run
from plumbline.reports.rendering import html
from plumbline.results.measure_writing import replace_measures
from plumbline.spec.audit import parse
from tests.plumbline.findings.audited import WOMEN_AND_MEN, difference
from tests.plumbline.results.conftest import _load

HOSTILE = "<script>alert(1)</script>"
TEMPLATES = ("All {group} are {attribute}.", "{group} seem {attribute}.")
SPEC: dict[str, Any] = {
    "name": f"weekly {HOSTILE}",
    "probe": "ilps",
    "model": "bundled:none",
    "prior": {"mask": "one"},
    "groups": {"inline": [{"label": "women"}, {"label": "men"}, {"label": HOSTILE}]},
    "attributes": {"inline": ["warm", "kind"]},
    "templates": {"inline": list(TEMPLATES)},
}
ROWS = (
    difference("warm", 0.6),
    difference("kind", 0.1, "undecided", q_value=0.4),
    difference("warm", 0.9, group_b=HOSTILE),
    difference("", 0.55),
    difference("", 0.1, "absent", group_b=HOSTILE),
    {"statistic": "scorable_share", "group_a": "women", "value": 0.5, "n": 4},
)

needs_pango = pytest.mark.skipif(
    find_library("pango-1.0") is None, reason="pango is missing here: make pdf installs it, or says what to install"
)
Log = Callable[[str], Client]


def a_finished_run(*rows: dict[str, Any], plan: Plan | None = None, by: User | None = None, **changes: Any) -> Run:
    """A run of the spec, done, with these measures and its findings written."""
    run = launch(parse(SPEC | changes), plan=plan, by=by)
    run.phases.update(state="done", done_at=run.created_at)
    Run.objects.filter(pk=run.pk).update(state=RunState.DONE, planned_items=12, finished_at=run.created_at)
    scored = [(template, group, "warm", 1.0, None) for template in TEMPLATES for group in ("women", HOSTILE)]
    _load(run.pk, [*scored, (TEMPLATES[0], "men", "warm", 0.4, None), (TEMPLATES[0], "men", "kind", None, "too long")])
    replace_measures(run.pk, list(rows))
    run.refresh_from_db()
    update(run)
    return run


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("ada")


@pytest.fixture
def plan(db: None) -> Plan:
    return Plan.objects.create(name="weekly <plan>", spec=SPEC)


@pytest.fixture
def run(plan: Plan, ada: User) -> Run:
    return a_finished_run(*ROWS, plan=plan, by=ada)


@pytest.fixture
def log_in(db: None) -> Log:
    """log_in("viewer"): somebody with this role; "" has an account and no role."""

    def client(role: str) -> Client:
        person = User.objects.create_user(role or "nobody")
        person.groups.set(Group.objects.filter(name=role))
        made = Client()
        made.force_login(person)
        return made

    return client


def report_on(run: Run) -> str:
    return html(on_run(run, "ada"))


def text_of(page: str) -> str:
    """The text of a page in one line, as a reader sees it."""
    shown = re.sub(r"<style>.*?</style>|<title>.*?</title>", "", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", shown)))


def of_women_and_men(statistic: str, **fields: Any) -> dict[str, Any]:
    return {"statistic": statistic, **WOMEN_AND_MEN, "n": 24, "unit": "kind of sentence", "n_units": 12} | fields
