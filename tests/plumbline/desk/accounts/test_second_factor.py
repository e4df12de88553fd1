"""The second factor: setting it up, logging in with it, limits on codes, and an installation that requires it."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from axes.models import AccessAttempt
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from plumbline.accounts import second_factor
from plumbline.accounts.models import Activity, ActivityEntry
from tests.plumbline.desk.accounts.conftest import PASSWORD

pytestmark = [pytest.mark.django_db, pytest.mark.any_server]


def code_of(secret: str, later: int = 0) -> str:
    period = list(totp.yield_hotp_counters_from_time())[1] + later
    return str(totp.format_hotp_value(totp.hotp_value(secret, period)))


def wrong_code(secret: str) -> str:
    right = {code_of(secret, later) for later in (-2, -1, 0, 1, 2)}
    return next(code for code in ("000000", "111111", "222222", "333333", "444444", "555555") if code not in right)


@pytest.fixture
def secret(ada: User) -> str:
    """The secret of ada's second factor. The code before the present one has set it up."""
    made = second_factor.new_secret()
    assert second_factor.set_up(ada, made, code_of(made, -1))
    return made


def half_in(address: str = "10.0.0.1") -> Client:
    client = Client(REMOTE_ADDR=address)
    answer = client.post(reverse("login"), {"username": "ada", "password": PASSWORD})
    assert answer["Location"] == reverse("login_code")
    return client


def give(client: Client, code: str) -> Any:
    return client.post(reverse("login_code"), {"code": code})


def is_in(client: Client) -> bool:
    return client.get(reverse("overview")).status_code == 200


def test_a_person_sets_it_up_and_sees_recovery_codes_once(ada: User) -> None:
    client = Client()
    client.force_login(ada)
    page = client.get(reverse("second_factor"))
    html = page.content.decode()
    assert "<svg" in html
    assert "style=" not in html
    shown = page.context["shown"].secret
    assert shown not in str(Session.objects.get().get_decoded())
    done = client.post(reverse("second_factor"), {"code": code_of(shown)}).content.decode()
    codes = RecoveryCodes(Authenticator.objects.get(type="recovery_codes")).get_unused_codes()
    assert len(codes) == 10
    assert all(code in done for code in codes)
    assert codes[0] not in client.get(reverse("second_factor")).content.decode()


def test_the_database_holds_no_secret_in_the_clear(ada: User, secret: str) -> None:
    rows = str(list(Authenticator.objects.values()))
    assert secret not in rows
    assert Authenticator.objects.count() == 2


def test_the_password_alone_logs_nobody_in(ada: User, secret: str) -> None:
    client = half_in()
    assert not is_in(client)
    assert give(client, code_of(secret))["Location"] == reverse("overview")
    assert is_in(client)


def test_the_login_of_the_admin_asks_for_the_code_too(ada: User, secret: str) -> None:
    answer = Client().post(reverse("admin:login"), {"username": "ada", "password": PASSWORD})
    assert answer["Location"] == reverse("login_code")


def test_a_code_works_once(ada: User, secret: str) -> None:
    code = code_of(secret)
    give(half_in(), code)
    other = half_in()
    assert b"it was used already" in give(other, code).content
    assert not is_in(other)


def test_a_recovery_code_works_once(ada: User, secret: str) -> None:
    code = second_factor.renew_recovery_codes(ada)[3]
    give(first := half_in(), code)
    give(second := half_in(), code)
    assert (is_in(first), is_in(second)) == (True, False)
    assert second_factor.recovery_codes_left(ada) == 9


def test_wrong_codes_count_for_the_limits_of_logins(ada: User, secret: str) -> None:
    client, wrong = half_in(), wrong_code(secret)
    assert [give(client, wrong).status_code for _ in range(5)] == [200] * 4 + [429]
    assert give(client, code_of(secret)).status_code == 429
    locked = Client(REMOTE_ADDR="10.0.0.1").post(reverse("login"), {"username": "ada", "password": PASSWORD})
    assert locked.status_code == 429
    refused = ActivityEntry.objects.filter(activity=Activity.SIGN_IN_REFUSED, about=second_factor.WRONG_CODE)
    assert refused.count() == 5


def test_wrong_codes_from_many_addresses_lock_the_codes(ada: User, secret: str) -> None:
    wrong = wrong_code(secret)
    for number in range(second_factor.MOST_WRONG_CODES):
        give(half_in(f"10.0.1.{number}"), wrong)
    assert give(half_in("10.0.2.1"), code_of(secret)).status_code == 429


def test_a_right_password_forgets_no_wrong_code(ada: User, secret: str) -> None:
    wrong = wrong_code(secret)
    for _ in range(4):
        give(half_in(), wrong)
    half_in()
    assert AccessAttempt.objects.get().failures_since_start == 4


def test_a_required_second_factor_leads_to_its_page(ada: User, settings: Settings) -> None:
    settings.REQUIRE_SECOND_FACTOR = True
    client = Client()
    client.post(reverse("login"), {"username": "ada", "password": PASSWORD})
    for name in ("overview", "runs", "sql", "tokens", "password_change", "admin:index"):
        assert client.get(reverse(name))["Location"] == reverse("second_factor"), name
    shown = client.get(reverse("second_factor")).context["shown"].secret
    client.post(reverse("second_factor"), {"code": code_of(shown)})
    assert is_in(client)


def test_an_open_session_does_not_remove_its_own(keeper: Client) -> None:
    own = User.objects.get(username="keeper")
    Authenticator.objects.create(user=own, type=Authenticator.Type.TOTP, data={"secret": "x"})
    assert keeper.post(reverse("second_factor_remove", args=[own.pk])).status_code == 404
    assert Authenticator.objects.filter(user=own).exists()


def test_an_admin_removes_it_and_ends_the_sessions(keeper: Client, ada: User, secret: str) -> None:
    give(client := half_in(), code_of(secret))
    assert keeper.post(reverse("second_factor_remove", args=[ada.pk])).status_code == 302
    assert not is_in(client)
    assert not Authenticator.objects.exists()
    last = ActivityEntry.objects.filter(activity=Activity.SECOND_FACTOR).latest("pk")
    assert (last.account, last.about) == (ada.pk, "removed")
