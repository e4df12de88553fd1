"""The page of tokens: one's own, and for admins all."""

from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from plumbline.api import tokens
from plumbline.api.models import Token
from tests.plumbline.api.conftest import Call

pytestmark = [pytest.mark.django_db, pytest.mark.any_server]
FORM: dict[str, Any] = {"name": "nightly <b>export</b>", "scopes": ["read"], "days": "30"}


@pytest.fixture
def browser(person: Callable[[str], User]) -> Callable[[str], Client]:
    def signed_in(role: str) -> Client:
        client = Client()
        client.force_login(person(role))
        return client

    return signed_in


def page(client: Client) -> str:
    return client.get(reverse("tokens")).content.decode()


def test_a_secret_is_shown_once(browser: Callable[[str], Client]) -> None:
    viewer = browser("viewer")
    assert "Tokens will appear here" in page(viewer)
    response = viewer.post(reverse("token_make"), FORM)
    shown = response.content.decode()
    secret = shown.split('class="secret">')[1].split("<")[0]
    assert tokens.admit(secret)
    assert "no-store" in response["Cache-Control"]
    assert "&lt;b&gt;export" in shown
    assert secret not in page(viewer)
    assert Token.objects.get().hint in page(viewer)


def test_everybody_sees_and_revokes_own_tokens_only(browser: Callable[[str], Client], call: Call) -> None:
    own, other = call("viewer").token, call("curator").token
    viewer = browser("viewer")
    assert page(viewer).count("Revoke</button>") == 1
    assert viewer.post(reverse("token_revoke", args=[other.pk])).status_code == 404
    assert (
        "Requests with it are refused"
        in viewer.post(reverse("token_revoke", args=[own.pk]), follow=True).content.decode()
    )
    assert list(Token.objects.filter(revoked_at=None)) == [other]
    assert "was revoked before" in viewer.post(reverse("token_revoke", args=[own.pk]), follow=True).content.decode()


def test_an_admin_sees_and_revokes_all_and_makes_tokens_of_machines(
    browser: Callable[[str], Client], call: Call
) -> None:
    theirs = call("viewer").token
    admin = browser("admin")
    admin.post(reverse("token_make"), {**FORM, "owner": "machine", "scopes": ["metrics"]})
    machine = Token.objects.latest("pk")
    assert (machine.person, machine.made_name, machine.scopes) == (None, "admin", ["metrics"])
    assert "a machine" in " ".join(page(admin).split())
    admin.post(reverse("token_revoke", args=[theirs.pk]))
    assert list(Token.objects.filter(revoked_at=None)) == [machine]


@pytest.mark.parametrize(
    "changes",
    [
        {"name": ""},
        {"name": "x" * 101},
        {"name": "a\0b"},
        {"scopes": []},
        {"scopes": ["launch"]},
        {"scopes": ["everything"]},
        {"days": "9999"},
    ],
)
def test_a_wrong_form_makes_no_token(browser: Callable[[str], Client], changes: dict[str, Any]) -> None:
    """A viewer may not launch, so that scope is not offered."""
    response = browser("viewer").post(reverse("token_make"), {**FORM, **changes})
    assert response.status_code == 422
    assert 'class="errorlist"' in response.content.decode()
    assert not Token.objects.exists()


def test_only_an_admin_makes_tokens_of_machines(browser: Callable[[str], Client]) -> None:
    browser("viewer").post(reverse("token_make"), {**FORM, "owner": "machine"})
    assert Token.objects.get().person is not None


def test_the_reference_lists_each_operation(browser: Callable[[str], Client]) -> None:
    shown = browser("viewer").get(reverse("api_reference")).content.decode()
    assert "GET /api/v1/runs/{run}/items" in shown
    assert "POST /api/v1/plans/{plan}/launches" in shown
    assert "Idempotency-Key" in shown
