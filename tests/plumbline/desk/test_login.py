"""Logging in and out, and what browsers are told."""

import re
from datetime import timedelta
from typing import Any

import pytest
from axes.models import AccessAttempt
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from plumbline.proxies import networks

pytestmark = pytest.mark.django_db
PASSWORD = "plumb-line-9"


@pytest.fixture
def ada() -> User:
    user = User.objects.create_user("ada", password=PASSWORD)
    user.groups.set([Group.objects.get(name="viewer")])
    return user


def log_in(name: str = "ada", password: str = PASSWORD, address: str = "10.0.0.1", **more: str) -> Any:
    return Client(REMOTE_ADDR=address).post(reverse("login"), {"username": name, "password": password, **more})


def test_the_right_password_leads_to_the_overview(ada: User) -> None:
    assert log_in()["Location"] == reverse("overview")


def test_a_stranger_is_led_back_to_where_they_wanted(ada: User) -> None:
    asked = Client().get(reverse("sql"))
    assert asked["Location"] == f"{reverse('login')}?next={reverse('sql')}"
    assert log_in(next=reverse("sql"))["Location"] == reverse("sql")


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "javascript:alert(1)", "/\\evil.example"]
)
def test_nobody_is_led_elsewhere(ada: User, elsewhere: str) -> None:
    assert log_in(next=elsewhere)["Location"] == reverse("overview")


class TestGuessing:
    def wrong(self, times: int, **who: str) -> Any:
        return [log_in(password="wrong", **who) for _ in range(times)][-1]

    def test_five_wrong_passwords_lock_the_name_at_the_address(self, ada: User) -> None:
        assert self.wrong(4).status_code == 200
        assert self.wrong(1).status_code == 429
        locked = log_in()
        assert locked.status_code == 429
        assert "15 minutes" in locked.content.decode()
        assert log_in(address="10.0.0.2").status_code == 302

    def test_another_name_at_the_address_is_not_locked(self, ada: User) -> None:
        self.wrong(5, name="grace")
        assert log_in().status_code == 302

    def test_one_password_for_many_names_locks_the_address(self, ada: User, settings: Settings) -> None:
        settings.WRONG_PASSWORDS_PER_ADDRESS = 8
        for number in range(7):
            assert self.wrong(1, name=f"name{number}").status_code == 200
        assert self.wrong(1, name="name8").status_code == 429
        assert log_in().status_code == 429
        assert log_in(address="10.0.0.2").status_code == 302
        AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))
        assert log_in().status_code == 302

    def test_the_addresses_of_one_ipv6_network_count_together(self, ada: User) -> None:
        for number in range(5):
            self.wrong(1, address=f"2001:db8:1:2::{number}")
        assert log_in(address="2001:db8:1:2:ffff::1").status_code == 429
        assert log_in(address="2001:db8:1:3::1").status_code == 302

    @pytest.mark.parametrize("password", ["8273645190", "12345678"])
    def test_a_password_of_digits_is_refused(self, ada: User, password: str) -> None:
        client = Client()
        client.force_login(ada)
        fields = {"old_password": PASSWORD, "new_password1": password, "new_password2": password}
        answer = client.post(reverse("password_change"), fields)
        assert "entirely numeric" in str(answer.context["form"].errors)

    def test_after_a_quarter_of_an_hour_it_is_open_again(self, ada: User) -> None:
        self.wrong(5)
        AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=14))
        assert log_in().status_code == 429
        AccessAttempt.objects.update(attempt_time=timezone.now() - timedelta(minutes=16))
        assert log_in().status_code == 302

    def test_a_right_password_forgets_the_wrong_ones(self, ada: User) -> None:
        self.wrong(4)
        log_in()
        assert self.wrong(4).status_code == 200

    def test_the_admins_login_counts_too(self, ada: User) -> None:
        for _ in range(5):
            Client(REMOTE_ADDR="10.0.0.1").post(reverse("admin:login"), {"username": "ada", "password": "wrong"})
        assert log_in().status_code == 429

    def test_behind_a_trusted_proxy_a_strangers_guesses_lock_nobody_else_out(
        self, ada: User, settings: Settings
    ) -> None:
        settings.TRUSTED_PROXIES = networks(["10.0.0.1"])
        stranger, colleague = {"X-Forwarded-For": "203.0.113.7"}, {"X-Forwarded-For": "203.0.113.8"}
        self.guess(5, stranger)
        assert self.guess(1, stranger).status_code == 429
        assert self.guess(1, colleague, PASSWORD).status_code == 302

    def test_an_address_that_a_guesser_makes_up_gives_no_further_guesses(self, ada: User, settings: Settings) -> None:
        settings.TRUSTED_PROXIES = networks(["10.0.0.1"])
        for made_up in range(5):
            self.guess(1, {"X-Forwarded-For": f"198.51.100.{made_up}, 203.0.113.7"})
        assert self.guess(1, {"X-Forwarded-For": "198.51.100.9, 203.0.113.7"}).status_code == 429
        settings.TRUSTED_PROXIES = []
        for made_up in range(5):
            self.guess(1, {"X-Forwarded-For": f"198.51.100.{made_up}"})
        assert log_in().status_code == 429

    def guess(self, times: int, headers: dict[str, str], word: str = "wrong") -> Any:
        proxied = Client(REMOTE_ADDR="10.0.0.1", headers=headers)
        said = {"username": "ada", "password": word}
        return [proxied.post(reverse("login"), said) for _ in range(times)][-1]

    def test_no_answer_reveals_whether_a_name_exists(self, ada: User) -> None:
        User.objects.create_user("gone", password=PASSWORD, is_active=False)
        names = ("ada", "nobody", "gone")
        for attempt in range(6):
            answers = [log_in(name, "wrong") for name in names]
            assert len({answer.status_code for answer in answers}) == 1, attempt
            assert len({self.without_names(answer, names) for answer in answers}) == 1, attempt

    def without_names(self, answer: Any, names: tuple[str, ...]) -> str:
        text = re.sub(r'name="csrfmiddlewaretoken" value="\w+"', "", answer.content.decode())
        return re.sub(rf'value="({"|".join(names)})"', "", text)


class TestLeaving:
    def test_logging_out_is_a_post(self, ada: User) -> None:
        client = Client()
        client.force_login(ada)
        assert client.get(reverse("logout")).status_code == 405
        assert client.get(reverse("overview")).status_code == 200
        assert client.post(reverse("logout"))["Location"] == reverse("login")
        assert client.get(reverse("overview")).status_code == 302

    def test_a_form_of_another_site_does_nothing(self, ada: User) -> None:
        client = Client(enforce_csrf_checks=True)
        client.force_login(ada)
        for name in ("logout", "sql_answer", "sql_save", "password_change"):
            assert client.post(reverse(name)).status_code == 403, name


class TestHeaders:
    @pytest.mark.parametrize("name", ["overview", "runs", "sql", "admin:index", "password_change", "logout"])
    def test_no_cache_keeps_a_page_behind_a_login(self, ada: User, name: str) -> None:
        client = Client()
        client.force_login(ada)
        assert "no-store" in client.get(reverse(name))["Cache-Control"]
        assert "no-store" in client.get("/nowhere/")["Cache-Control"]

    def test_the_answer_that_logs_somebody_in_is_kept_by_no_cache(self, ada: User) -> None:
        assert "no-store" in log_in()["Cache-Control"]

    @pytest.mark.parametrize("name", ["login", "overview", "runs", "sql", "sql_save"])
    def test_the_desk_allows_no_script_or_style_but_its_own(self, ada: User, name: str) -> None:
        client = Client()
        if name != "login":
            client.force_login(ada)
        response = client.get(reverse(name))
        policy = response["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "*" not in policy
        html = response.content.decode()
        assert not re.search(r"<script(?![^>]*\b(src|application/json))", html)
        assert not re.search(r"<[^>]+\s(style|on\w+)=", html)
        assert response["X-Frame-Options"] == "DENY"
        assert response["X-Content-Type-Options"] == "nosniff"

    def test_the_admin_has_a_policy_of_its_own_still_without_inline_scripts(self, ada: User) -> None:
        client = Client()
        client.force_login(ada)
        found = re.search(r"script-src ([^;]+)", client.get(reverse("admin:index"))["Content-Security-Policy"])
        assert found
        assert "'unsafe-eval'" in found[1]
        assert "'unsafe-inline'" not in found[1]

    def test_cookies_are_no_scripts_and_no_other_sites(self, ada: User, settings: Settings) -> None:
        settings.SESSION_COOKIE_SECURE = True
        session = log_in().cookies["sessionid"]
        assert session["httponly"]
        assert session["secure"]
        assert session["samesite"] == "Lax"


def test_before_the_first_account_the_page_says_how_to_make_it(db: None) -> None:
    first = Client().get(reverse("login")).content.decode()
    assert "There is no account yet." in first
    assert "manage.py person first --address http://testserver/" in first
    User.objects.create_user("ada")
    assert "There is no account yet." not in Client().get(reverse("login")).content.decode()
