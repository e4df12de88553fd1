"""Invitations: one link, once, for a time; what is shown, sent and recorded."""

import re
import time
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from plumbline.accounts.mail import DUMMY
from plumbline.accounts.models import Activity, ActivityEntry, Invitation
from tests.plumbline.desk.accounts.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.any_server]
LINK = re.compile(r"http://testserver(/invitation/[^\s<]+)")
NEW = {"username": "grace", "password1": PASSWORD, "password2": PASSWORD}


def invite(keeper: Client, address: str = "grace@example.org", *roles: str) -> Any:
    chosen = Group.objects.filter(name__in=roles or ("reviewer",)).values_list("pk", flat=True)
    return keeper.post(reverse("person_invite"), {"email": address, "roles": list(chosen)})


def mailed_link() -> str:
    found = LINK.search(str(mail.outbox[-1].body))
    assert found
    return found[1]


def test_an_invited_person_makes_an_account_with_the_roles(keeper: Client) -> None:
    assert invite(keeper, "grace@example.org", "reviewer", "curator").status_code == 302
    assert mail.outbox[0].to == ["grace@example.org"]
    stranger = Client()
    shown = stranger.get(mailed_link()).content.decode()
    assert "grace@example.org" in shown
    assert "Username" in shown
    for role in ("reviewer: a viewer who annotates", "curator: a viewer who edits the words"):
        assert role in keeper.get(reverse("people")).content.decode()
        assert role in shown
        assert role in str(mail.outbox[0].body)
    told = stranger.post(mailed_link(), NEW, follow=True)
    assert told.redirect_chain == [(reverse("overview"), 302)]
    assert "The account grace is ready, and you are logged in." in told.content.decode()
    grace = User.objects.get(username="grace")
    assert grace.email == "grace@example.org"
    assert {group.name for group in grace.groups.all()} == {"reviewer", "curator"}
    assert grace.check_password(PASSWORD)
    assert not Invitation.objects.exists()


def test_a_link_can_be_used_once(keeper: Client) -> None:
    invite(keeper)
    Client().post(mailed_link(), NEW)
    again = Client().post(mailed_link(), NEW | {"username": "other"})
    assert again.status_code == 404
    assert b"This link is not valid" in again.content
    assert not User.objects.filter(username="other").exists()


def test_a_link_expires(keeper: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.INVITATION_DAYS = 2
    invite(keeper)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 2 * 86400 - 60)
    assert Client().get(mailed_link()).status_code == 200
    monkeypatch.setattr(time, "time", lambda: now + 2 * 86400 + 60)
    assert Client().get(mailed_link()).status_code == 404


def test_a_link_sent_again_replaces_the_first(keeper: Client) -> None:
    invite(keeper)
    first = mailed_link()
    keeper.post(reverse("invitation_again", args=[Invitation.objects.get().pk]))
    assert Client().get(first).status_code == 404
    assert Client().get(mailed_link()).status_code == 200


def test_a_withdrawn_invitation_leads_nowhere(keeper: Client) -> None:
    invite(keeper)
    address = reverse("invitation_withdraw", args=[Invitation.objects.get().pk])
    assert keeper.post(address).status_code == 302
    assert Client().get(mailed_link()).status_code == 404
    assert keeper.post(address).status_code == 404


@pytest.mark.parametrize("token", ["x", "WzEsMV0:1a2b3c:forged", "%00", "WzEsMV0"])
def test_a_forged_link_leads_nowhere(keeper: Client, token: str) -> None:
    invite(keeper)
    assert Client().get(f"/invitation/{token}/").status_code in (400, 404)


def test_without_a_mail_server_the_admin_gets_the_link(keeper: Client, settings: Settings) -> None:
    settings.EMAIL_BACKEND = DUMMY
    page = invite(keeper).content.decode()
    assert "No mail server is set" in page
    found = LINK.search(page)
    assert found
    assert Client().get(found[1]).status_code == 200
    assert not LINK.search(keeper.get(reverse("people")).content.decode())
    assert not mail.outbox


def test_a_mail_that_cannot_be_sent_shows_the_link_and_why(keeper: Client, settings: Settings) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    page = invite(keeper).content.decode()
    assert "The mail could not be sent: ConnectionRefusedError" in page
    assert LINK.search(page)


@pytest.mark.parametrize(
    ("address", "why"),
    [("ADA@example.org", "has an account already"), ("Open@example.org", "is invited already"), ("ada", "valid email")],
)
def test_an_address_is_invited_once(keeper: Client, ada: User, address: str, why: str) -> None:
    invite(keeper, "open@example.org")
    answer = invite(keeper, address)
    assert answer.status_code == 422
    assert why in answer.content.decode()
    assert Invitation.objects.count() == 1


def test_a_name_that_is_taken_and_a_poor_password_are_refused(keeper: Client, ada: User) -> None:
    invite(keeper)
    answer = Client().post(mailed_link(), {"username": "Ada", "password1": "12345678", "password2": "12345678"})
    text = answer.content.decode()
    assert "already exists" in text
    assert "entirely numeric" in text
    assert Invitation.objects.exists()


def test_the_log_records_each_step_and_no_address(keeper: Client) -> None:
    invite(keeper)
    number = Invitation.objects.get().pk
    Client().post(mailed_link(), NEW)
    entries = ActivityEntry.objects.filter(activity=Activity.INVITATION).order_by("pk")
    assert [entry.about for entry in entries] == [
        f"invitation {number} made: reviewer",
        f"invitation {number}: link 1 made",
        f"invitation {number} accepted",
    ]
    assert entries[2].account == User.objects.get(username="grace").pk
