"""The page of one's own second factor: setting it up, new recovery codes, removing it; and an admin's removal."""

from typing import Any

from allauth.mfa.utils import decrypt, encrypt
from cryptography.fernet import InvalidToken
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from plumbline.accounts import second_factor
from plumbline.accounts.sessions import end_sessions
from plumbline.desk.accounts.people_page import keeps_accounts, signed_in
from plumbline.desk.accounts.sign_in import PASSED, CodeForm
from plumbline.desk.people import may_touch

SECRET = "new_second_factor"
WRONG = "This code is wrong, or it was used already. Wait for the next one. If none is right, set the phone's clock."
LOCKED = "Too many wrong codes. Try again in 15 minutes."


@sensitive_post_parameters("code")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def second_factor_page(request: HttpRequest) -> HttpResponse:
    person, form = signed_in(request), CodeForm(request.POST or None)
    if not second_factor.is_set_up(person):
        return _set_up(request, person, form)
    if form.is_valid():
        if second_factor.is_guessed_at(person):
            form.add_error("code", LOCKED)
        elif second_factor.is_right(person, form.cleaned_data["code"]):
            return _changed(request, person)
        else:
            second_factor.record_wrong_code(person)
            form.add_error("code", WRONG)
    return _page(request, form, left=second_factor.recovery_codes_left(person))


def _set_up(request: HttpRequest, person: User, form: CodeForm) -> HttpResponse:
    """Show a secret, which stays the same in this session, and store it when a code of it is given."""
    secret = _secret(request)
    if form.is_valid():
        codes = second_factor.set_up(person, secret, form.cleaned_data["code"])
        if codes is not None:
            del request.session[SECRET]
            request.session[PASSED] = True
            return _page(request, CodeForm(), codes=codes, left=len(codes))
        form.add_error("code", WRONG)
    shown = second_factor.shown(person, secret)
    # Its text is made of figures by the library, which escapes nothing that people typed: the address is only dots.
    return _page(request, form, shown=shown, picture=mark_safe(shown.picture))  # noqa: S308


def _secret(request: HttpRequest) -> str:
    """Return the secret of this session, encrypted there, too."""
    try:
        return str(decrypt(request.session[SECRET]))
    except (KeyError, InvalidToken):
        secret = second_factor.new_secret()
        request.session[SECRET] = encrypt(secret)
        return secret


def _changed(request: HttpRequest, person: User) -> HttpResponse:
    """Do what the pressed button says, now that the code was right."""
    if request.POST.get("do") != "remove":
        codes = second_factor.renew_recovery_codes(person)
        return _page(request, CodeForm(), codes=codes, left=len(codes))
    second_factor.remove(person, by=person.pk)
    request.session.pop(PASSED, None)
    messages.success(request, "The second factor is removed. Your password alone logs you in.")
    return redirect("second_factor")


def _page(request: HttpRequest, form: CodeForm, **more: Any) -> HttpResponse:
    context = {"form": form, "required": settings.REQUIRE_SECOND_FACTOR, **more}
    return render(request, "desk/accounts/second_factor.html", context)


@require_POST
@keeps_accounts
def second_factor_remove(request: HttpRequest, number: int) -> HttpResponse:
    """Remove the second factor of another person who has lost it, and end their sessions.

    Nobody removes the own one by this: a session that somebody left open would be enough to take the account over.
    """
    person = get_object_or_404(User, pk=number)
    is_other = person != request.user and may_touch(request, person)
    if not is_other or not second_factor.remove(person, by=signed_in(request).pk):
        raise Http404("There is no second factor to remove.")
    end_sessions(person)
    messages.success(request, f"The second factor of {person.get_username()} is removed, and their sessions ended.")
    return redirect("people")
