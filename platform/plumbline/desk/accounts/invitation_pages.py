"""Inviting, sending again, withdrawing, and the page of the link, which needs no login."""

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from plumbline.accounts import invitations, mail
from plumbline.accounts.models import Invitation
from plumbline.desk.accounts.forms import InvitationForm, NewAccountForm
from plumbline.desk.accounts.people_page import keeps_accounts, people_answer, signed_in
from plumbline.desk.accounts.sign_in import enter
from plumbline.pages.roles import purpose_of
from plumbline.spec.errors import InputError

SUBJECT = "Your invitation to Plumbline"


@require_POST
@keeps_accounts
@never_cache
def person_invite(request: HttpRequest) -> HttpResponse:
    form = InvitationForm(request.POST)
    if not form.is_valid():
        return people_answer(request, form, status=422)
    try:
        made = invitations.invite(form.cleaned_data["email"], form.cleaned_data["roles"], signed_in(request))
    except InputError as error:
        form.add_error("email", str(error))
        return people_answer(request, form, status=422)
    return _sent(request, made.pk)


@require_POST
@keeps_accounts
@never_cache
def invitation_again(request: HttpRequest, number: int) -> HttpResponse:
    try:
        return _sent(request, number)
    except Invitation.DoesNotExist:
        raise Http404("This invitation is not open any more.") from None


@require_POST
@keeps_accounts
def invitation_withdraw(request: HttpRequest, number: int) -> HttpResponse:
    if not invitations.withdraw(number, signed_in(request)):
        raise Http404("This invitation is not open any more.")
    messages.success(request, "The invitation is withdrawn. Its link leads nowhere from now on.")
    return redirect("people")


def _sent(request: HttpRequest, number: int) -> HttpResponse:
    """Make a new link and send it. Show it if no mail can be sent."""
    invitation, token = invitations.new_link_token(number, signed_in(request))
    link = request.build_absolute_uri(reverse("invitation", args=[token]))
    if not mail.is_set():
        return people_answer(request, InvitationForm(), link=link, link_for=invitation.email)
    body = render_to_string(
        "registration/invitation_mail.txt",
        {"link": link, "days": settings.INVITATION_DAYS, "roles": _roles(invitation)},
    )
    if why := mail.send(invitation.email, SUBJECT, body):
        return people_answer(request, InvitationForm(), link=link, link_for=invitation.email, why=why)
    messages.success(request, f"The invitation was sent to {invitation.email}.")
    return redirect("people")


def _roles(invitation: Invitation) -> list[str]:
    """Return the roles that the account will have, each with what it may do."""
    return [purpose_of(role.name) for role in invitation.roles.order_by("name")]


@require_http_methods(["GET", "HEAD", "POST"])
@login_not_required
@never_cache
@transaction.atomic
def invitation_page(request: HttpRequest, token: str) -> HttpResponse:
    """Show the form of the new account, and make the account."""
    invitation = invitations.invitation_of(token)
    if invitation is None:
        return render(request, "registration/invitation_invalid.html", status=404)
    form = NewAccountForm(request.POST or None)
    form.instance.email = invitation.email
    if form.is_valid():
        invitations.accept(invitation, form.save(commit=False))
        return enter(request, form.instance.username, form.cleaned_data["password1"])
    return render(
        request, "registration/invitation.html", {"form": form, "email": invitation.email, "roles": _roles(invitation)}
    )
