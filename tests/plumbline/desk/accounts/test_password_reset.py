"""New passwords by a link: once, not too often, and no answer that reveals whether an address has an account."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from plumbline.accounts.mail import DUMMY
from plumbline.accounts.models import Activity, ActivityEntry
from plumbline.accounts.password_requests import MOST_OF_AN_ACCOUNT, MOST_OF_AN_ADDRESS
from tests.plumbline.desk.accounts.conftest import all_sent

pytestmark = [pytest.mark.django_db, pytest.mark.any_server]
LINK = re.compile(r"http://testserver(/password/reset/[^\s<]+)")
NEW = {"new_password1": "another-line-8", "new_password2": "another-line-8"}


def request_link(email: str, address: str = "10.0.0.1") -> Any:
    answer = Client(REMOTE_ADDR=address).post(reverse("password_reset"), {"email": email})
    all_sent()
    return answer


def set_by(link: str) -> Any:
    browser = Client()
    shown = browser.get(link, follow=True)
    return browser.post(shown.redirect_chain[-1][0], NEW) if shown.redirect_chain else shown


def test_a_mailed_link_sets_the_password_once(ada: User) -> None:
    assert request_link("ADA@example.org").status_code == 302
    found = LINK.search(str(mail.outbox[0].body))
    assert found
    assert set_by(found[1])["Location"] == reverse("password_reset_complete")
    ada.refresh_from_db()
    assert ada.check_password("another-line-8")
    assert b"This link is not valid" in set_by(found[1]).content


def test_the_answer_is_the_same_without_an_account(ada: User) -> None:
    known, unknown = request_link("ada@example.org"), request_link("nobody@example.org")
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    assert len(mail.outbox) == 1


def test_an_account_gets_few_mails_whoever_requests_them(ada: User) -> None:
    answers = [request_link("ada@example.org", f"10.0.1.{number}") for number in range(MOST_OF_AN_ACCOUNT + 2)]
    assert {answer.status_code for answer in answers} == {302}
    assert len(mail.outbox) == MOST_OF_AN_ACCOUNT


def test_a_network_address_has_few_requests_whatever_it_requests(ada: User) -> None:
    for number in range(MOST_OF_AN_ADDRESS):
        assert request_link(f"name{number}@example.org").status_code == 302
    assert request_link("ada@example.org").status_code == 429
    assert request_link("nobody@example.org").status_code == 429
    assert request_link("ada@example.org", "10.0.0.2").status_code == 302


def test_without_a_mail_server_the_page_names_the_admin(ada: User, settings: Settings) -> None:
    settings.EMAIL_BACKEND = DUMMY
    for answer in (Client().get(reverse("password_reset")), request_link("ada@example.org")):
        assert b"This installation sends no mail" in answer.content


def test_an_admin_hands_a_link_over(keeper: Client, ada: User) -> None:
    found = LINK.search(keeper.post(reverse("reset_link", args=[ada.pk])).content.decode())
    assert found
    assert set_by(found[1])["Location"] == reverse("password_reset_complete")
    entries = ActivityEntry.objects.filter(activity=Activity.PASSWORD).order_by("pk")
    assert [(entry.account, entry.about) for entry in entries] == [
        (ada.pk, "link to a new password made"),
        (ada.pk, "new password set by a link"),
    ]


def test_an_open_session_gives_no_link_to_its_own_new_password(keeper: Client) -> None:
    own = User.objects.get(username="keeper")
    assert keeper.post(reverse("reset_link", args=[own.pk])).status_code == 404
    assert reverse("reset_link", args=[own.pk]) not in keeper.get(reverse("people")).content.decode()


def test_an_admin_makes_no_link_for_a_superuser_or_a_closed_account(keeper: Client, ada: User) -> None:
    root = User.objects.create_superuser("root")
    User.objects.filter(pk=ada.pk).update(is_active=False)
    for person in (root, ada):
        answer = keeper.post(reverse("reset_link", args=[person.pk]))
        assert answer.status_code == 404
