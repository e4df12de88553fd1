"""Launches by a token: at most one for each key, and never more than its person may do."""

from typing import Any

import pytest
from django.contrib.auth.models import Group

from plumbline.api.models import LaunchRequest
from plumbline.api.scopes import Scope
from plumbline.audits.models import Plan, Run
from tests.plumbline.api.conftest import Call, Caller
from tests.plumbline.audits.conftest import SPEC, Elsewhere, curated, elsewhere, until_one_waits  # noqa: F401

pytestmark = pytest.mark.django_db
KINDS = ["All", "Most", "Some", "Many", "The", "Those", "Few"]
ENOUGH: dict[str, Any] = {
    **SPEC,
    "templates": {"inline": [f"{kind} {{group.plural}} are {{attribute}}." for kind in KINDS]},
}
"""With enough kinds of sentence that something can become significant."""


@pytest.fixture
def auditor(call: Call) -> Caller:
    return call("auditor", Scope.LAUNCH)


@pytest.fixture
def plan(curated: None) -> Plan:  # noqa: F811
    return Plan.objects.create(name="traits", spec=ENOUGH)


def launch(caller: Caller, plan: Plan, key: str = "a", **body: Any) -> Any:
    return caller.post(f"plans/{plan.pk}/launches", body, Idempotency_Key=key)


def test_a_launch_is_that_of_its_person(auditor: Caller, plan: Plan) -> None:
    response = launch(auditor, plan, accept_warnings=True)
    assert response.status_code == 201, response.content
    (run,) = response.json()["runs"]
    found = Run.objects.get(pk=run["id"])
    assert (found.plan, found.created_by, run["state"]) == (plan, auditor.token.person, "planning")


def test_a_repeated_request_returns_the_same_run(auditor: Caller, plan: Plan) -> None:
    first, again = (launch(auditor, plan, accept_warnings=True) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert (first.json()["repeated"], again.json()["repeated"]) == (False, True)
    assert first.json()["runs"][0]["id"] == again.json()["runs"][0]["id"]
    assert launch(auditor, plan, "b", accept_warnings=True).status_code == 201
    assert Run.objects.count() == 2


def test_keys_of_two_tokens_are_two_keys(auditor: Caller, call: Call, plan: Plan) -> None:
    other = call("auditor", Scope.LAUNCH)
    assert [launch(one, plan, accept_warnings=True).status_code for one in (auditor, other)] == [201, 201]


def test_a_key_is_for_one_plan(auditor: Caller, plan: Plan) -> None:
    launch(auditor, plan, accept_warnings=True)
    other = Plan.objects.create(name="other", spec=ENOUGH)
    refused = launch(auditor, other, accept_warnings=True)
    assert refused.status_code == 422
    assert "another plan" in refused.json()["detail"]


def test_a_plan_that_can_show_nothing_needs_consent(auditor: Caller, plan: Plan) -> None:
    Plan.objects.filter(pk=plan.pk).update(spec=SPEC)
    refused = launch(auditor, plan)
    assert refused.status_code == 409
    assert "no result of this plan can become significant" in refused.json()["detail"]
    assert not LaunchRequest.objects.exists()
    assert launch(auditor, plan, accept_warnings=True).status_code == 201


def test_a_plan_that_cannot_be_launched_says_why_and_leaves_the_key_unused(auditor: Caller, plan: Plan) -> None:
    Plan.objects.filter(pk=plan.pk).update(spec={**ENOUGH, "groups": {"list": "nowhere"}})
    refused = launch(auditor, plan)
    assert refused.status_code == 422
    assert "nowhere" in refused.json()["detail"]
    Plan.objects.filter(pk=plan.pk).update(spec=ENOUGH)
    assert launch(auditor, plan, accept_warnings=True).status_code == 201


def test_only_who_may_launch_at_the_desk_may_launch_here(auditor: Caller, call: Call, plan: Plan) -> None:
    assert launch(call("curator", Scope.LAUNCH), plan).status_code == 403
    Group.objects.get(name="auditor").user_set.clear()
    assert launch(auditor, plan).status_code == 403
    assert not Run.objects.exists()


def test_a_machine_launches_for_nobody(call: Call, plan: Plan) -> None:
    response = launch(call(None, Scope.LAUNCH), plan, accept_warnings=True)
    assert Run.objects.get(pk=response.json()["runs"][0]["id"]).created_by is None


@pytest.mark.parametrize(
    ("headers", "body"),
    [
        ({}, {}),
        ({"Idempotency_Key": "x" * 101}, {}),
        ({"Idempotency_Key": "a b"}, {}),
        ({"Idempotency_Key": "a"}, {"accept_warnings": "perhaps"}),
        ({"Idempotency_Key": "a"}, {"model": "path:/etc"}),
        ({"Idempotency_Key": "a"}, []),
    ],
)
def test_a_bad_request_launches_nothing(auditor: Caller, plan: Plan, headers: dict[str, str], body: Any) -> None:
    assert auditor.post(f"plans/{plan.pk}/launches", body, **headers).status_code == 422
    assert not Run.objects.exists()


def test_a_body_that_is_no_json_is_refused(auditor: Caller, plan: Plan) -> None:
    headers = {"Authorization": f"Bearer {auditor.secret}", "Idempotency-Key": "a"}
    path = f"/api/v1/plans/{plan.pk}/launches"
    for body in (b"{", b"\xff", b'{"accept_warnings": ' + b"[" * 5000):
        refused = auditor.client.post(path, body, content_type="application/json", headers=headers)
        assert (refused.status_code, refused["Content-Type"]) == (400, "application/problem+json")
