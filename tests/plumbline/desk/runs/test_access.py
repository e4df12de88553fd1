"""Who may open and press what: each address of the pages around runs."""

import pytest
from django.test import Client
from django.urls import reverse

from plumbline.audits.models import Plan, Run
from tests.plumbline.desk.runs.conftest import As

PAGES = [
    "overview",
    "runs",
    "run",
    "run_progress",
    "run_measures",
    "run_provenance",
    "models",
    "model",
    "plans",
    "plan",
    "plan_sensitivity",
    "plan_contents",
    "compare",
    "before_after",
]
ACTIONS = ["run_cancel", "run_resume", "run_ask_again", "plan_launch", "plan_add_entry", "compare_ask"]


def address(name: str, run: Run, plan: Plan) -> str:
    if name == "model":
        return reverse(name, query={"reference": run.model})
    of_plan = name.startswith("plan_") or name == "plan"
    return reverse(name, args=[plan.pk] if of_plan else [run.pk] if name.startswith("run_") or name == "run" else [])


@pytest.mark.parametrize("name", PAGES)
def test_a_page_is_for_every_role_and_nobody_else(client: Client, as_: As, done: Run, plan: Plan, name: str) -> None:
    where = address(name, done, plan)
    assert client.get(where).headers["Location"].startswith("/login/")
    assert as_("").get(where).status_code == 403
    viewer = as_("viewer")
    assert viewer.get(where).status_code == 200
    assert viewer.post(where).status_code == 405


@pytest.mark.parametrize("name", ACTIONS)
def test_an_action_is_for_auditors_and_by_post_alone(client: Client, as_: As, done: Run, plan: Plan, name: str) -> None:
    where = address(name, done, plan)
    assert client.post(where).headers["Location"].startswith("/login/")
    for role in ("", "viewer", "reviewer", "curator"):
        assert as_(role).post(where).status_code == 403
    auditor = as_("auditor")
    assert auditor.get(where).status_code == 405
    assert auditor.post(where, {"a": done.pk, "b": done.pk}).status_code == 302


@pytest.mark.parametrize("name", ["run", "run_progress", "run_measures", "run_provenance", "plan"])
def test_what_is_not_there_is_not_found(viewer: Client, name: str) -> None:
    assert viewer.get(reverse(name, args=[4711])).status_code == 404


def test_a_model_that_nobody_knows_is_not_found(viewer: Client) -> None:
    assert viewer.get(reverse("model"), {"reference": "hub:never/seen"}).status_code == 404
