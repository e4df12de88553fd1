"""The first account: a link that works once, for a day, and never where an account exists; or a terminal."""

import re
import time
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from plumbline.accounts import first_account
from plumbline.accounts.models import ActivityEntry
from plumbline.spec.errors import InputError
from tests.plumbline.desk.accounts.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.any_server]
NEW = {"username": "ada", "password1": PASSWORD, "password2": PASSWORD}


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def printed(*arguments: str) -> str:
    out = StringIO()
    call_command("person", "first", *arguments, stdout=out, stderr=out)
    return out.getvalue()


def link() -> str:
    found = re.search(r"http://desk:81(/first-account/\S+)", printed("--address", "http://desk:81/"))
    assert found
    return found[1]


def test_the_link_makes_the_first_account_which_is_an_admin() -> None:
    address = link()
    assert b"The first account" in Client().get(address).content
    client = Client()
    shown = client.post(address, NEW, follow=True)
    assert shown.redirect_chain == [(reverse("overview"), 302)]
    assert "The account ada is ready, and you are logged in." in shown.content.decode()
    ada = User.objects.get()
    assert [group.name for group in ada.groups.all()] == ["admin"]
    assert ada.check_password(PASSWORD)
    assert ActivityEntry.objects.filter(about="first account made", account=ada.pk).exists()


def test_where_passwords_are_refused_the_new_account_is_not_logged_in(settings: Settings) -> None:
    settings.PASSWORD_LOGIN = False
    client = Client()
    shown = client.post(link(), NEW, follow=True)
    assert shown.redirect_chain == [(reverse("login"), 302)]
    assert "The account ada is ready. Log in with it." in shown.content.decode()
    assert "_auth_user_id" not in client.session


def test_the_link_works_once_even_if_the_account_is_deleted() -> None:
    address = link()
    Client().post(address, NEW)
    User.objects.all().delete()
    assert Client().get(address).status_code == 404
    assert Client().post(address, NEW | {"username": "eve"}).status_code == 404
    assert not User.objects.exists()
    assert Client().get(link()).status_code == 200


def test_no_link_is_printed_or_works_where_an_account_exists() -> None:
    address = link()
    User.objects.create_user("eve", is_active=False)
    assert printed() == ""
    assert Client().get(address).status_code == 404
    assert Client().post(address, NEW).status_code == 404
    assert not User.objects.filter(username="ada").exists()


def test_of_two_people_with_a_link_one_is_refused() -> None:
    first_account.create(User(username="ada"))
    with pytest.raises(InputError, match="an account exists already"):
        first_account.create(User(username="eve"))


def test_the_link_expires(monkeypatch: pytest.MonkeyPatch) -> None:
    address, now = link(), time.time()
    monkeypatch.setattr(time, "time", lambda: now + 24 * 3600 - 60)
    assert Client().get(address).status_code == 200
    monkeypatch.setattr(time, "time", lambda: now + 24 * 3600 + 60)
    assert Client().get(address).status_code == 404


@pytest.mark.parametrize("token", ["nowhere", "MQ:1tabcd:forged"])
def test_a_forged_link_leads_nowhere(token: str) -> None:
    assert Client().get(f"/first-account/{token}/").status_code == 404


def test_a_weak_password_is_refused() -> None:
    answer = Client().post(link(), NEW | {"password1": "ada", "password2": "ada"})
    assert b"too short" in answer.content
    assert not User.objects.exists()


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch) -> Any:
    def types(name: str, password: str = PASSWORD) -> None:
        monkeypatch.setattr("sys.stdin", Terminal(f"{name}\n"))
        monkeypatch.setattr("getpass.getpass", lambda _: password)

    return types


def test_a_terminal_is_asked_for_the_account(typed: Any) -> None:
    typed("ada")
    assert "The account 'ada' is ready" in printed("--ask")
    assert User.objects.get().check_password(PASSWORD)
    assert printed("--ask") == ""


@pytest.mark.parametrize(("name", "password"), [("", PASSWORD), ("ada", "ada")])
def test_without_a_usable_answer_the_link_is_printed(typed: Any, name: str, password: str) -> None:
    typed(name, password)
    assert "/first-account/" in printed("--ask")
    assert not User.objects.exists()
