"""Who has no account: every address of the desk and the admin leads to the login, but for the few that are public.

The addresses come from the resolver, so a new page is held to this too.
"""

import pytest
from django.contrib.auth.models import User
from django.test import Client

from tests.plumbline.pages.addresses import all_addresses, leads_to_login

# Django decides before any query of a page who may open it.
pytestmark = [pytest.mark.django_db, pytest.mark.any_server]

PUBLIC = {"/login/", "/health/", "/admin/login/"}
PASSWORD_LINKS = ("/password/reset/", "/invitation/", "/first-account/")
"""Open to everybody. The token of a link decides what its page shows."""


@pytest.mark.sampled(by=["address"])
@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("address", sorted(set(all_addresses())))
def test_a_stranger_is_led_to_the_login_everywhere(address: str, method: str) -> None:
    response = getattr(Client(), method)(address)
    if address in PUBLIC:
        assert response.status_code in (200, 405)
    elif address.startswith("/api/v1/"):
        assert response.status_code in (401, 405)
        assert response["Content-Type"] == "application/problem+json"
    elif address == "/metrics":
        assert response.status_code in (401, 405)
    elif address.startswith(PASSWORD_LINKS):
        assert response.status_code in (200, 404, 405)
        assert not User.objects.exists()
    elif address.startswith("/login/single-sign-on/"):
        assert response.status_code in (404, 405)  # it is not set here
    elif address == "/login/code/":
        assert leads_to_login(response)
    elif address.startswith("/survey/"):
        assert response.status_code in (404, 405)
        assert b"This link leads to no survey" in response.content or response.status_code == 405
    elif address in ("/logout/", "/admin/logout/"):
        assert leads_to_login(response) or response.status_code == 405
    else:
        assert leads_to_login(response), (response.status_code, response.content)
