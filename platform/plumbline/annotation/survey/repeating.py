"""A mark in the browser that it has finished a survey, so that another link of the survey is not answered, too.

The mark holds the survey's number and nothing about the person or the answers. Another browser, a private window, or a
browser whose cookies were deleted has none.
"""

from django.conf import settings
from django.core.signing import BadSignature, Signer
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from plumbline.annotation.survey.models import Survey

DAYS = 365
SIGNER = Signer(salt="finished survey")


def has_finished(request: HttpRequest, survey: Survey) -> bool:
    """Return whether somebody finished this survey in this browser, by whatever link."""
    try:
        return SIGNER.unsign(request.COOKIES.get(_name(survey), "")) == str(survey.pk)
    except BadSignature:
        return False


def mark_finished(response: HttpResponse, survey: Survey) -> None:
    """Set the mark, which scripts cannot read, for the pages of surveys alone."""
    response.set_cookie(
        _name(survey),
        SIGNER.sign(str(survey.pk)),
        max_age=DAYS * 86_400,
        path=reverse("survey", args=["-"]).removesuffix("-/"),
        secure=settings.HTTPS,
        httponly=True,
        samesite="Lax",
    )


def _name(survey: Survey) -> str:
    return f"finished-{survey.pk}"
