"""Where REQUIRE_SECOND_FACTOR is set: whoever is logged in without a second factor reaches only its page."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect

from plumbline.accounts import second_factor
from plumbline.desk.accounts.sign_in import PASSED

OPEN = {"second_factor", "logout", "admin:logout"}


class RequiredSecondFactor:
    """Middleware that leads to the page of the second factor. Pages that need no login stay open."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, *_: Any) -> HttpResponseBase | None:
        if not settings.REQUIRE_SECOND_FACTOR or not request.user.is_authenticated or request.session.get(PASSED):
            return None
        if not getattr(view, "login_required", True):
            return None
        if second_factor.is_set_up(request.user):  # logged in before it was set up
            logout(request)
            return redirect("login")
        named = request.resolver_match.view_name if request.resolver_match else ""
        return None if named in OPEN else redirect("second_factor")
