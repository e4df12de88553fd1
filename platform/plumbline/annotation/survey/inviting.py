"""Links to a survey: made, found, closed, revoked, and used up."""

import secrets

from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Greatest
from django.utils import timezone

from plumbline.annotation.survey.models import Survey, SurveyInvitation

BEGINS_PER_MINUTE = 30
"""How many people may begin by one link in a minute. Addresses are not kept, so the limit is that of the link."""


def invite(survey: Survey, label: str, limit: int, farewell: str = "") -> SurveyInvitation:
    """Create a link with a token that nobody can guess."""
    token = secrets.token_urlsafe(24)
    return SurveyInvitation.objects.create(survey=survey, token=token, label=label, limit=limit, farewell=farewell)


def invitation_of(token: str) -> SurveyInvitation | None:
    """Return the invitation of a link, revoked or not."""
    found = SurveyInvitation.objects.select_related("survey", "survey__wording", "survey__other_wording")
    return found.filter(token=token).first()


def why_closed(invitation: SurveyInvitation) -> str:
    """Return why nobody can begin by this link; "" if somebody can."""
    if invitation.closed or invitation.survey.closed:
        return "This survey is closed."
    return "Enough people take part in this survey already." if invitation.used >= invitation.limit else ""


def take_place(invitation: SurveyInvitation) -> bool:
    """Count one more person, unless the link is used up, closed, or was used too often in this minute.

    One statement, so that two people cannot take the last place.
    """
    minute = timezone.now().replace(second=0, microsecond=0)
    same = Q(minute=minute)
    free = SurveyInvitation.objects.filter(
        ~same | Q(minute=None) | Q(begun_in_minute__lt=BEGINS_PER_MINUTE),
        pk=invitation.pk,
        used__lt=F("limit"),
        closed=False,
        revoked=False,
        survey__closed=False,
    )
    begun = Case(When(same, then=F("begun_in_minute") + 1), default=Value(1))
    return bool(free.update(used=F("used") + 1, begun_in_minute=begun, minute=minute))


def give_back(invitation: int, places: int = 1) -> None:
    """Free the places of people who deleted their answers or never finished."""
    SurveyInvitation.objects.filter(pk=invitation).update(used=Greatest(F("used") - places, 0))
