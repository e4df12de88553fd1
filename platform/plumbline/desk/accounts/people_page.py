"""The page of people and open invitations, for those who keep accounts."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from plumbline.accounts import invitations, leaving, mail
from plumbline.accounts.models import Invitation
from plumbline.desk.accounts.forms import InvitationForm
from plumbline.pages.roles import needs_permission, purpose_of

PEOPLE_PER_PAGE = 50
keeps_accounts = needs_permission("auth.change_user")
"""A decorator: 403 for everybody who may not change accounts."""


@require_safe
@keeps_accounts
@never_cache
def people(request: HttpRequest) -> HttpResponse:
    return people_answer(request, InvitationForm())


def people_answer(request: HttpRequest, form: InvitationForm, status: int = 200, **more: Any) -> HttpResponse:
    """Show the page; `link` and `link_for` are shown in this response only."""
    with_factor = Authenticator.objects.filter(user=OuterRef("pk"), type=Authenticator.Type.TOTP)
    people = User.objects.order_by("username").prefetch_related("groups")
    accounts = people.annotate(has_second_factor=Exists(with_factor))
    page = Paginator(accounts, PEOPLE_PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "may_leave": {one.pk for one in page if not leaving.why_not(one, signed_in(request))},
        "roles": [(role, purpose_of(role.name)) for role in Group.objects.order_by("name")],
        "open": [_row(one) for one in Invitation.objects.prefetch_related("roles")],
        "form": form,
        "mail_is_set": mail.is_set(),
        "days": settings.INVITATION_DAYS,
        **more,
    }
    return render(request, "desk/accounts/people.html", context, status=status)


def _row(invitation: Invitation) -> dict[str, Any]:
    until = invitations.expires_at(invitation)
    return {"invitation": invitation, "until": until, "is_over": until is not None and until < timezone.now()}


def signed_in(request: HttpRequest) -> User:
    """Return the person of a request that a decorator has admitted."""
    assert isinstance(request.user, User)  # noqa: S101 -- the decorator saw to it
    return request.user
