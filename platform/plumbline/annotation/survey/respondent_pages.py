"""The pages of an invited person: consent, one page after the other, and the end. They need no account.

They use neither the session nor the account of who is logged in, and keep no network address.
"""

import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from plumbline.annotation.survey import answering
from plumbline.annotation.survey.inviting import invitation_of, why_closed
from plumbline.annotation.survey.models import Respondent, SurveyInvitation
from plumbline.annotation.survey.repeating import has_finished, mark_finished
from plumbline.annotation.survey.step_display import page_of
from plumbline.spec.errors import InputError

COOKIE = "survey"
DAYS = 30
SHOWN = Signer(salt="survey page")
Page = Callable[[HttpRequest, SurveyInvitation], HttpResponse]


def invited(page: Page, *, even_revoked: bool = False) -> Callable[[HttpRequest, str], HttpResponse]:
    """Return a view of a link's token, which is refused if the link is unknown, or revoked unless `even_revoked`.

    Who had begun by a revoked link is offered to delete the answers.
    """

    @login_not_required
    @never_cache
    def view(request: HttpRequest, token: str) -> HttpResponse:
        invitation = invitation_of(token)
        if invitation and (even_revoked or not invitation.revoked):
            return page(request, invitation)
        person = invitation and _person(request, invitation)
        return render(request, "annotation/survey/gone.html", {"invitation": person and invitation}, status=404)

    return view


@require_safe
@invited
def survey(request: HttpRequest, invitation: SurveyInvitation) -> HttpResponse:
    """Show where the person is: consent, the next page, or the end."""
    if request.COOKIES.get(COOKIE) == _done(invitation):
        return render(request, "annotation/survey/done.html", {"survey": invitation.survey, "invitation": invitation})
    person = _person(request, invitation)
    if has_finished(request, invitation.survey):
        return _again(request, invitation, person)
    if person:
        return _page(request, invitation, person)
    return _begin_page(request, invitation)


@require_POST
@invited
def survey_begin(request: HttpRequest, invitation: SurveyInvitation) -> HttpResponse:
    if has_finished(request, invitation.survey) or _person(request, invitation):
        return _to(invitation)
    try:
        secret = answering.begin(invitation)
    except InputError as error:
        return _begin_page(request, invitation, str(error))
    return _remember(_to(invitation), invitation, secret)


@require_POST
@invited
def survey_save(request: HttpRequest, invitation: SurveyInvitation) -> HttpResponse:
    """Save a page and show the next one. A page with missing answers is shown again with what was given."""
    person = _person(request, invitation)
    if person is None or has_finished(request, invitation.survey):
        return _to(invitation)
    given = {name: value for name, value in request.POST.items() if isinstance(value, str)}
    step = int(given["step"]) if given.get("step", "").isdecimal() and len(given["step"]) < 3 else -1
    try:
        ended = answering.save(person, step, given, _seconds(step, given.get("shown", "")))
    except InputError as error:
        return _page(request, invitation, person, str(error), given)
    return _finish(invitation) if ended else _to(invitation)


def _withdraw(request: HttpRequest, invitation: SurveyInvitation) -> HttpResponse:
    """Delete the answers of a person who has not finished."""
    if person := _person(request, invitation):
        answering.withdraw(person)
    response = render(request, "annotation/survey/withdrawn.html", {"survey": invitation.survey})
    response.delete_cookie(COOKIE, path=_address(invitation))
    return response


survey_withdraw = require_POST(invited(_withdraw, even_revoked=True))


def _person(request: HttpRequest, invitation: SurveyInvitation) -> Respondent | None:
    return answering.respondent_of(invitation, request.COOKIES.get(COOKIE, ""))


def _again(request: HttpRequest, invitation: SurveyInvitation, person: Respondent | None) -> HttpResponse:
    """Say that this browser has finished the survey by another link, and offer to delete what was begun by this one."""
    context = {"survey": invitation.survey, "invitation": person and invitation}
    return render(request, "annotation/survey/again.html", context)


def _finish(invitation: SurveyInvitation) -> HttpResponse:
    response = _remember(_to(invitation), invitation, _done(invitation))
    mark_finished(response, invitation.survey)
    return response


def _begin_page(request: HttpRequest, invitation: SurveyInvitation, fault: str = "") -> HttpResponse:
    closed = why_closed(invitation)
    context = {"survey": invitation.survey, "invitation": invitation, "closed": closed, "fault": fault}
    return render(request, "annotation/survey/begin.html", context)


def _page(
    request: HttpRequest,
    invitation: SurveyInvitation,
    person: Respondent,
    fault: str = "",
    given: dict[str, str] | None = None,
) -> HttpResponse:
    shown = (given or {}).get("shown") or shown_now(person.step)
    context: dict[str, Any] = {"invitation": invitation, "shown": shown, "fault": fault, **page_of(person, given or {})}
    return render(request, "annotation/survey/step.html", context)


def shown_now(step: int) -> str:
    """Return the signed time at which a page was shown. The page keeps the first one when it is loaded again."""
    return SHOWN.sign(f"{step} {int(time.time())}")


def _seconds(step: int, shown: str) -> int:
    """Return how long ago this page was first shown, in seconds; 0 if the page does not say so."""
    try:
        page, told = SHOWN.unsign(shown).split()
    except (BadSignature, ValueError):
        return 0
    return int(time.time()) - int(told) if page == str(step) else 0


def _done(invitation: SurveyInvitation) -> str:
    return Signer(salt="survey done").sign(str(invitation.pk))


def _address(invitation: SurveyInvitation) -> str:
    return reverse("survey", args=[invitation.token])


def _to(invitation: SurveyInvitation) -> HttpResponse:
    return redirect(_address(invitation))


def _remember(response: HttpResponse, invitation: SurveyInvitation, value: str) -> HttpResponse:
    """Set the cookie of this link alone, which scripts cannot read."""
    response.set_cookie(
        COOKIE,
        value,
        max_age=DAYS * 86_400,
        path=_address(invitation),
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )
    return response
