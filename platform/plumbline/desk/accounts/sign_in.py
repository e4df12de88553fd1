"""Logging in: the password, then the second factor of those who have one. Nobody is logged in between the two."""

import time
from typing import Any

from axes.handlers.proxy import AxesProxyHandler
from axes.helpers import get_lockout_response
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import authenticate, login, views
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_login_failed
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from plumbline.accounts import first_account, identity_provider, second_factor, single_sign_on
from plumbline.accounts.sign_ins import set_way

HALF = "half_logged_in"
"""The key of a session in which somebody has given the right password, and no code yet."""
PASSED = "second_factor"
"""The key of a session whose person has shown the second factor."""
SECONDS_FOR_THE_CODE = 600


class CodeForm(forms.Form):
    code = forms.CharField(
        max_length=20, widget=forms.TextInput(attrs={"autocomplete": "one-time-code", "autofocus": True})
    )


class SignIn(views.LoginView):
    """Django's page, which leads to the page of the code instead of logging in who has a second factor."""

    redirect_authenticated_user = True

    def form_valid(self, form: Any) -> HttpResponse:
        return continue_sign_in(self.request, form.get_user(), self.get_success_url())

    def get_context_data(self, **more: Any) -> dict[str, Any]:
        provider = settings.SSO_NAME if identity_provider.is_set() else ""
        first = {"is_first": _is_first(), "address": self.request.build_absolute_uri("/")}
        return super().get_context_data(provider=provider, with_password=settings.PASSWORD_LOGIN, **first, **more)


def _is_first() -> bool:
    """Return whether no account exists. Without a database the page is shown, too, and says nothing about it."""
    try:
        return first_account.is_missing()
    except DatabaseError:
        return False


def continue_sign_in(request: HttpRequest, person: User, to: str, way: str = "password") -> HttpResponse:
    """Log the person in, or ask for the code first. The person has a `backend`, so the password was right.

    `way` is how the person signed in. Single sign-on asks for no code where SSO_COUNTS_AS_SECOND_FACTOR is set.
    """
    is_enough = way == single_sign_on.WAY and settings.SSO_COUNTS_AS_SECOND_FACTOR
    if is_enough or not second_factor.is_set_up(person):
        set_way(request, way)
        login(request, person)
        if is_enough:
            request.session[PASSED] = True
        return HttpResponseRedirect(to)
    request.session.cycle_key()
    request.session[HALF] = {
        "person": person.pk,
        "backend": person.backend,
        "until": time.time() + SECONDS_FOR_THE_CODE,
        "hash": person.get_session_auth_hash(),
        "to": to,
        "way": way,
    }
    return redirect("login_code")


def enter(request: HttpRequest, username: str, password: str) -> HttpResponse:
    """Sign in with an account that was made a moment ago. Show the page of login where passwords are refused."""
    person = authenticate(request, username=username, password=password)
    if person is None:
        messages.success(request, f"The account {username} is ready. Log in with it.")
        return redirect("login")
    messages.success(request, f"The account {username} is ready, and you are logged in.")
    return continue_sign_in(request, person, reverse("overview"))


@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
@login_not_required
@csrf_protect
@never_cache
def login_code(request: HttpRequest) -> HttpResponse:
    """Ask for the code of the second factor, and log the person in."""
    person = _half_logged_in(request)
    if person is None:
        return redirect("login")
    form, name = CodeForm(request.POST or None), {"username": person.get_username()}
    if not AxesProxyHandler.is_allowed(request, name) or second_factor.is_guessed_at(person):
        locked: HttpResponse = get_lockout_response(request, credentials=name)
        return locked
    if form.is_valid():
        if second_factor.is_right(person, form.cleaned_data["code"]):
            return _log_in(request, person)
        user_login_failed.send(
            sender=__name__, credentials={**name, "reason": second_factor.WRONG_CODE}, request=request
        )
        form.add_error("code", "This code is wrong, or it was used already. Wait for the next one.")
    return render(request, "registration/login_code.html", {"form": form})


def _half_logged_in(request: HttpRequest) -> User | None:
    """Return who has given the right password in this session, in time and unchanged since."""
    half = request.session.get(HALF)
    if not half or half["until"] < time.time():
        return None
    person = User.objects.filter(pk=half["person"], is_active=True).first()
    return person if person and constant_time_compare(half["hash"], person.get_session_auth_hash()) else None


def _log_in(request: HttpRequest, person: User) -> HttpResponse:
    half = request.session.pop(HALF)
    set_way(request, f"{half.get('way', 'password')} and second factor")
    login(request, person, backend=half["backend"])
    request.session[PASSED] = True
    return HttpResponseRedirect(half["to"])
