"""Signing runs and releases off, and withdrawing that."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

from plumbline.audits.models import Run
from plumbline.desk.findings.actions import back_to
from plumbline.findings.models import SignOff
from plumbline.findings.sign_off.people import PERMISSION
from plumbline.findings.sign_off.releases import releases_of, sign_release
from plumbline.findings.sign_off.signing import sign, withdraw
from plumbline.pages.roles import needs_permission
from plumbline.spec.errors import InputError

MOST_KEPT = 1_000
"""The most characters of a note that an address holds."""
may_sign = needs_permission(PERMISSION)


@require_POST
@may_sign
def run_sign_off(request: HttpRequest, number: int) -> HttpResponse:
    run = get_object_or_404(Run.objects.top_level(), pk=number)

    def act(person: User) -> str:
        sign(run, person, request.POST.get("note", ""), request.POST.get("decision", ""))
        return f"Run {run.pk} is signed off. Its report is ready below."

    return _acted(request, act, reverse("run_findings", args=[run.pk]))


@require_POST
@may_sign
def release_sign_off(request: HttpRequest) -> HttpResponse:
    reference, name = request.POST.get("reference", "").replace("\0", ""), request.POST.get("release", "")

    def act(person: User) -> str:
        release = next((one for one in releases_of(reference) if one.name == name), None)
        if release is None:
            raise InputError("no finished run has this release; load the page again.")
        sign_release(release, person, request.POST.get("note", ""), request.POST.get("decision", ""))
        return f"The release {release.name} is signed off."

    return _acted(request, act, f"{reverse('model')}?{urlencode({'reference': reference})}")


@require_POST
@may_sign
def sign_off_withdraw(request: HttpRequest, number: int) -> HttpResponse:
    made = get_object_or_404(SignOff, pk=number)

    def act(person: User) -> str:
        withdraw(made.pk, person, request.POST.get("reason", ""))
        return "The sign-off is withdrawn. It stays readable with your reason."

    return _acted(request, act, back_to(request, reverse("findings")))


def _acted(request: HttpRequest, act: Callable[[User], str], back: str) -> HttpResponse:
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    try:
        messages.success(request, act(request.user))
    except InputError as error:
        messages.error(request, f"Nothing was changed: {error}")
        return redirect(with_typed(request, back))
    return redirect(back)


def with_typed(request: HttpRequest, back: str) -> str:
    """Return the address with the decision and the note that somebody typed, so that the form shows them again."""
    typed = {name: request.POST.get(name, "")[:MOST_KEPT] for name in ("decision", "note")}
    query = urlencode({name: text for name, text in typed.items() if text})
    return f"{back}{'&' if '?' in back else '?'}{query}" if query else back
