"""Single sign-on against a real provider (oidc-provider-mock) and a real server, over HTTP."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from django.contrib.auth.models import Group, User
from django.urls import reverse
from oidc_provider_mock import run_server_in_thread
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from plumbline.accounts import invitations, leaving, second_factor
from plumbline.accounts.models import Activity, ActivityEntry, Invitation
from plumbline.desk.doctor import single_sign_on as doctor
from plumbline.desk.doctor.line import Level
from tests.plumbline.desk.accounts.conftest import PASSWORD
from tests.plumbline.desk.accounts.test_second_factor import code_of
from tests.ports import free_port

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.any_server,
    # The provider's own library warns of what it will do later.
    pytest.mark.filterwarnings("ignore:get_jwt_config:DeprecationWarning"),
]
"""The live server has a connection of its own."""


class Browser:
    """A browser's session with Plumbline and with the provider."""

    def __init__(self, site: str, issuer: str) -> None:
        self.site, self.issuer, self.session = site, issuer, requests.Session()

    def get(self, address: str) -> requests.Response:
        return self.session.get(self.site + address, allow_redirects=False, timeout=10)

    def way(self, to: str = "") -> str:
        return self.get(f"/login/single-sign-on/?next={to}").headers["Location"]

    def code(self, sub: str, way: str = "", **claims: Any) -> str:
        """Sign in at the provider and return the address to which it leads back, without following it."""
        way = way or self.way()
        requests.put(f"{self.issuer}/users/{sub}", json=claims, timeout=10).raise_for_status()
        answer = requests.post(way, data={"sub": sub}, allow_redirects=False, timeout=10)
        return answer.headers["Location"].removeprefix(self.site)

    def sign_in(self, email: str, verified: object = True, to: str = "", **claims: Any) -> requests.Response:
        return self.get(self.code("s1", self.way(to), email=email, email_verified=verified, **claims))

    def is_in(self) -> bool:
        return self.get("/").status_code == 200


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    with run_server_in_thread() as server:
        yield f"http://localhost:{server.server_port}"


@pytest.fixture
def browser(live_server: LiveServer, issuer: str, settings: Settings) -> Browser:
    settings.SSO_ISSUER, settings.SSO_CLIENT_ID, settings.SSO_CLIENT_SECRET = issuer, "plumbline", "secret"
    settings.SSO_NAME = "Example & Co"
    return Browser(live_server.url, issuer)


def refusals() -> list[tuple[int | None, str]]:
    return list(ActivityEntry.objects.filter(activity=Activity.SIGN_IN_REFUSED).values_list("account", "about"))


def test_a_verified_address_signs_its_person_in(browser: Browser, ada: User) -> None:
    assert "Sign\n    in with Example &amp; Co" in browser.get("/login/").text
    answer = browser.sign_in("ADA@example.org", to="/runs/")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/runs/")
    assert browser.is_in()
    entry = ActivityEntry.objects.get(activity=Activity.SIGN_IN)
    assert (entry.account, entry.about, entry.address) == (ada.pk, "single sign-on", "127.0.0.1")
    token = browser.session.cookies.get("csrftoken", "")
    token = token or re.findall(r'csrfmiddlewaretoken" value="(\w+)"', browser.get("/").text)[0]
    browser.session.post(browser.site + "/logout/", data={"csrfmiddlewaretoken": token}, timeout=10)
    assert not browser.is_in()


def test_the_way_has_state_nonce_and_pkce(browser: Browser) -> None:
    asked = parse_qs(urlsplit(browser.way()).query)
    assert asked["code_challenge_method"] == ["S256"]
    assert {"state", "nonce", "code_challenge"} <= asked.keys()
    other = parse_qs(
        urlsplit(browser.get("/login/single-sign-on/?auth_params=nonce%3Dmine&scope=all").headers["Location"]).query
    )
    assert other["nonce"] != ["mine"]
    assert "all" not in other["scope"][0]


@pytest.mark.parametrize("verified", [False, None, "false", 1])
def test_an_address_that_is_not_verified_signs_nobody_in(browser: Browser, ada: User, verified: object) -> None:
    answer = browser.sign_in("ada@example.org", verified, preferred_username="ada")
    assert answer.status_code == 403
    assert "has not verified your mail address" in answer.text
    assert not browser.is_in()


def test_a_name_signs_nobody_in(browser: Browser, ada: User, settings: Settings) -> None:
    User.objects.create_user("eve@example.org", "other@example.org")
    settings.SSO_MAKES_ACCOUNTS = True
    assert browser.sign_in("eve@example.org", preferred_username="ada").status_code == 403
    assert not browser.is_in()


def test_a_stranger_is_refused_or_gets_an_account_without_a_role(browser: Browser, settings: Settings) -> None:
    assert "Ask an admin to invite your mail address" in browser.sign_in("new@example.org").text
    assert not User.objects.exists()
    assert refusals() == [(None, "single sign-on: You have no account here. Ask an admin to invite your mail address.")]
    settings.SSO_MAKES_ACCOUNTS = True
    assert browser.sign_in("new@example.org").status_code == 302
    made = User.objects.get()
    assert (made.email, made.groups.count(), made.is_staff, made.has_usable_password()) == (
        "new@example.org",
        0,
        False,
        False,
    )


def test_an_open_invitation_is_accepted(browser: Browser, ada: User) -> None:
    made = invitations.invite("new@example.org", Group.objects.filter(name="auditor"), ada)
    assert browser.sign_in("new@example.org").status_code == 403
    invitations.new_link_token(made.pk, ada)
    assert browser.sign_in("new@example.org").status_code == 302
    assert [one.name for one in User.objects.get(email="new@example.org").groups.all()] == ["auditor"]
    assert not Invitation.objects.exists()


def test_an_inactive_person_and_a_shared_address_are_refused(browser: Browser, ada: User, settings: Settings) -> None:
    settings.SSO_MAKES_ACCOUNTS = True
    User.objects.update(is_active=False)
    assert "Your account is not active" in browser.sign_in("ada@example.org").text
    assert refusals()[0][0] == ada.pk
    User.objects.create_user("bob", "Ada@example.org")
    assert "Several accounts" in browser.sign_in("ada@example.org").text
    assert not browser.is_in()


def test_a_person_who_left_is_refused_and_gets_none_of_the_old_roles(
    browser: Browser, ada: User, admin_user: User, settings: Settings
) -> None:
    leaving.leave(ada, admin_user)
    assert "You have no account here" in browser.sign_in("ada@example.org").text
    assert not browser.is_in()
    settings.SSO_MAKES_ACCOUNTS = True
    assert browser.sign_in("ada@example.org").status_code == 302
    assert not browser.is_in()
    made = User.objects.get(email="ada@example.org")
    assert made.pk != ada.pk
    assert not made.groups.exists()


@pytest.mark.parametrize(
    "address", ["m\u0131ke@example.org", "mike@\u017ftore.example.org", "mi\u212ae@store.example.org"]
)
def test_letters_that_the_database_takes_as_equal_are_no_match(browser: Browser, address: str) -> None:
    User.objects.create_user("mike", "mike@example.org")
    User.objects.create_user("store", "mike@store.example.org")
    assert browser.sign_in(address).status_code == 403


def test_a_state_of_another_browser_and_one_used_twice_are_refused(browser: Browser, ada: User) -> None:
    back = browser.code("s1", email="ada@example.org", email_verified=True)
    other = Browser(browser.site, browser.issuer)
    other.way()
    assert other.get(back).status_code == 400
    assert not other.is_in()
    assert browser.get(back).status_code == 302
    assert browser.get(back).status_code == 400


def test_a_code_that_was_used_and_one_with_another_nonce_are_refused(browser: Browser, ada: User) -> None:
    """A thief has the code of the victim, and a state of an own browser."""
    claims: dict[str, Any] = {"email": "ada@example.org", "email_verified": True}
    back = browser.code("s1", **claims)
    thief = Browser(browser.site, browser.issuer)
    state = parse_qs(urlsplit(thief.way()).query)["state"][0]
    stolen = re.sub(r"state=[^&]+", f"state={state}", back)
    assert thief.get(stolen).status_code == 502
    assert not thief.is_in()
    assert browser.get(back).status_code == 502  # the thief has used it up
    assert not browser.is_in()


def test_cancelling_at_the_provider_leads_to_a_page(browser: Browser) -> None:
    answer = requests.post(browser.way(), data={"action": "deny"}, allow_redirects=False, timeout=10)
    back = answer.headers["Location"].removeprefix(browser.site)
    assert browser.get(back).status_code == 400  # this provider gives the state not back
    state = parse_qs(urlsplit(browser.way()).query)["state"][0]
    answer = browser.get(f"/login/single-sign-on/callback/?error=access_denied&state={state}")
    assert answer.status_code == 403
    assert "did not sign you in" in answer.text
    assert not browser.is_in()


def test_a_provider_that_is_down_leads_to_a_page(browser: Browser, settings: Settings) -> None:
    back = browser.code("s1", email="ada@example.org", email_verified=True)
    settings.SSO_ISSUER = f"http://localhost:{free_port()}"
    for answer in (browser.get("/login/single-sign-on/"), browser.get(back)):
        assert answer.status_code == 502
        assert "did not answer" in answer.text
    assert next(doctor.lines()).level == Level.WRONG


def test_the_second_factor_is_asked_for_unless_the_provider_counts(
    browser: Browser, ada: User, settings: Settings
) -> None:
    secret = second_factor.new_secret()
    assert second_factor.set_up(ada, secret, code_of(secret, -1))
    settings.REQUIRE_SECOND_FACTOR = True
    assert browser.sign_in("ada@example.org").headers["Location"] == reverse("login_code")
    assert not browser.is_in()
    settings.SSO_COUNTS_AS_SECOND_FACTOR = True
    assert browser.sign_in("ada@example.org").headers["Location"] == "/"
    assert browser.is_in()


def test_passwords_that_are_switched_off_stay_for_superusers(settings: Settings, ada: User, client: Any) -> None:
    settings.PASSWORD_LOGIN = False
    User.objects.create_superuser("root", "root@example.org", PASSWORD)
    for address in ("login", "admin:login"):
        client.post(reverse(address), {"username": "ada", "password": PASSWORD})
        assert "_auth_user_id" not in client.session
    assert client.post(reverse("login"), {"username": "root", "password": PASSWORD}).status_code == 302
    assert ActivityEntry.objects.get(activity=Activity.SIGN_IN).about == "password"


def test_without_settings_there_is_no_address_and_no_button(client: Any) -> None:
    for name in ("single_sign_on", "single_sign_on_callback"):
        assert client.get(reverse(name)).status_code == 404
    assert "Sign" not in client.get(reverse("login")).content.decode()


def test_the_doctor_judges_the_provider(browser: Browser, settings: Settings) -> None:
    assert next(doctor.lines()).what.endswith("answers, but without TLS")
    settings.SSO_ISSUER = browser.issuer.replace("localhost", "127.0.0.1")
    settings.SSO_CLIENT_SECRET = ""
    assert "only SSO_ISSUER, SSO_CLIENT_ID is set" in next(doctor.lines()).what
    settings.SSO_ISSUER = settings.SSO_CLIENT_ID = ""
    assert next(doctor.lines()).level == Level.NOTE
