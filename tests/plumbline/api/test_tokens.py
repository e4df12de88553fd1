"""Tokens: stored as digests, limited by scope, expiry and the present rights of their person."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.utils import timezone

from plumbline.accounts.models import Activity, ActivityEntry
from plumbline.api import tokens
from plumbline.api.models import Token
from plumbline.api.scopes import Scope
from tests.plumbline.api.conftest import Call

pytestmark = [pytest.mark.django_db, pytest.mark.any_server]


def test_the_database_holds_no_secret(call: Call) -> None:
    caller = call("viewer")
    (row,) = Token.objects.values()
    assert caller.secret not in str(row)
    assert row["digest"] == tokens.digest_of(caller.secret)
    assert caller.secret.startswith(row["hint"])
    assert len(caller.secret) - len(row["hint"]) > 35


def test_a_use_is_dated(call: Call) -> None:
    caller = call("viewer")
    assert caller.token.last_used_at is None
    assert caller.get("me").json()["person"] == "viewer"
    caller.token.refresh_from_db()
    assert caller.token.last_used_at is not None


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer x", "Basic dTpw", "Bearer \udcff", "Bearer " + "x" * 5000, "bearer a b"]
)
def test_a_request_without_a_valid_token_is_refused(header: str, db: None) -> None:
    response = Client().get("/api/v1/runs", HTTP_AUTHORIZATION=header)
    assert response.status_code == 401
    assert response["WWW-Authenticate"].startswith("Bearer")
    assert response["Content-Type"] == "application/problem+json"


def test_a_login_counts_for_nothing(person: Callable[[str], User]) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(person("admin"))
    assert browser.get("/api/v1/runs").status_code == 401
    assert browser.post("/api/v1/plans/1/launches", {}, content_type="application/json").status_code == 401


def test_the_token_decides_and_not_the_login_beside_it(call: Call, person: Callable[[str], User]) -> None:
    caller = call("viewer", Scope.READ, Scope.LAUNCH)
    caller.client.force_login(person("admin"))
    assert caller.post("plans/1/launches", {}, Idempotency_Key="a").status_code == 403
    assert caller.get("me").json()["person"] == "viewer"


def test_expired_and_revoked_tokens_are_refused(call: Call) -> None:
    expired, revoked = call("viewer"), call("viewer")
    Token.objects.filter(pk=expired.token.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    assert tokens.revoke(revoked.token, revoked.token.person)
    assert not tokens.revoke(revoked.token, revoked.token.person)
    assert [one.get("me").status_code for one in (expired, revoked)] == [401, 401]
    expired.token.refresh_from_db()
    assert expired.token.last_used_at is None


def test_a_closed_account_closes_its_tokens(call: Call) -> None:
    caller = call("viewer")
    User.objects.filter(username="viewer").update(is_active=False)
    assert caller.get("me").status_code == 401
    User.objects.filter(username="viewer").update(is_active=True)
    assert caller.get("me").status_code == 200


def test_a_role_that_is_taken_away_counts_at_once(call: Call) -> None:
    caller = call("viewer")
    assert caller.get("runs").status_code == 200
    Group.objects.get(name="viewer").user_set.clear()
    refused = caller.get("runs")
    assert refused.status_code == 403
    assert "audits.view_run" in refused.json()["detail"]
    assert caller.get("me").json()["scopes"] == []


def test_a_scope_is_needed_beside_the_role(call: Call) -> None:
    assert call("auditor", Scope.LAUNCH).get("runs").status_code == 403
    refused = call("auditor", Scope.READ).post("plans/1/launches", {}, Idempotency_Key="a")
    assert refused.status_code == 403
    assert "'launch'" in refused.json()["detail"]


def test_a_machine_has_its_scopes_and_no_person(call: Call) -> None:
    machine = call(None, Scope.READ)
    assert machine.get("me").json() | {"expires_at": "", "requests_left": 0} == {
        "name": "a test",
        "scopes": ["read"],
        "person": None,
        "expires_at": "",
        "requests_left": 0,
    }
    assert machine.get("runs").status_code == 200


def test_too_many_requests_wait_for_the_next_minute(call: Call, settings: Any) -> None:
    settings.API_REQUESTS_PER_MINUTE = 2
    caller, other = call("viewer"), call("viewer")
    assert [caller.get("me").status_code for _ in range(3)] == [200, 200, 429]
    refused = caller.get("runs")
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert refused.json()["title"] == "Too Many Requests"
    assert other.get("me").json()["requests_left"] == 1
    a_minute_ago = timezone.now() - timedelta(seconds=61)
    Token.objects.filter(pk=caller.token.pk).update(window_began_at=a_minute_ago)
    assert caller.get("me").json()["requests_left"] == 1


def test_making_and_revoking_are_in_the_activity_log(person: Callable[[str], User]) -> None:
    admin, viewer = person("admin"), person("viewer")
    own, _ = tokens.make("mine", [Scope.READ], 7, person=viewer, by=viewer)
    machine, _ = tokens.make("scraper", [Scope.METRICS], 365, person=None, by=admin)
    tokens.revoke(own, admin)
    entries = ActivityEntry.objects.filter(activity=Activity.TOKEN).order_by("pk")
    assert [(one.person, one.account, one.about) for one in entries] == [
        (viewer.pk, viewer.pk, f"API token {own.pk} made: read, 7 days"),
        (admin.pk, None, f"API token {machine.pk} made: metrics, 365 days, for a machine"),
        (admin.pk, viewer.pk, f"API token {own.pk} revoked"),
    ]
    assert machine.made_name == "admin"


def test_an_account_takes_its_tokens_with_it(call: Call) -> None:
    caller = call("viewer")
    User.objects.get(username="viewer").delete()
    assert caller.get("me").status_code == 401
