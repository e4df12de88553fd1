"""Invitations: a signed link, valid once and for some days, by which a person makes an account."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.core import signing
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from plumbline.accounts.log import record
from plumbline.accounts.models import Activity, Invitation
from plumbline.spec.errors import InputError

SALT = "plumbline.accounts.invitation"


@transaction.atomic
def invite(email: str, roles: Iterable[Group], by: User) -> Invitation:
    """Store an invitation. Raises InputError if the address has an account or is invited already."""
    if User.objects.filter(email__iexact=email).exists():
        raise InputError(f"{email} has an account already.")
    if Invitation.objects.filter(email__iexact=email).exists():
        raise InputError(f"{email} is invited already: send that invitation again.")
    made = Invitation.objects.create(email=email, invited_by=by.pk)
    made.roles.set(roles)
    named = ", ".join(sorted(role.name for role in made.roles.all())) or "no role"
    record(Activity.INVITATION, f"invitation {made.pk} made: {named}", person=by.pk)
    return made


@transaction.atomic
def new_link_token(number: int, by: User) -> tuple[Invitation, str]:
    """Return the invitation with the token of a new link. Links made before are invalid from now on."""
    invitation = Invitation.objects.select_for_update().get(pk=number)
    invitation.sent_at, invitation.sent_count = timezone.now(), invitation.sent_count + 1
    invitation.save(update_fields=["sent_at", "sent_count"])
    record(Activity.INVITATION, f"invitation {number}: link {invitation.sent_count} made", person=by.pk)
    return invitation, signing.dumps([number, invitation.sent_count], salt=SALT)


@transaction.atomic
def withdraw(number: int, by: User) -> bool:
    """Delete an open invitation, so that its link is invalid. Returns False if it is not open any more."""
    deleted, _ = Invitation.objects.filter(pk=number).delete()
    if deleted:
        record(Activity.INVITATION, f"invitation {number} withdrawn", person=by.pk)
    return bool(deleted)


def invitation_of(token: str) -> Invitation | None:
    """Return the open invitation of a link's token; None if it is forged, too old, replaced, used or withdrawn.

    Inside a transaction the row stays locked, so that two requests cannot both use it.
    """
    try:
        number, sent = signing.loads(token, salt=SALT, max_age=_life())
    except (signing.BadSignature, ValueError, TypeError):
        return None
    found: QuerySet[Invitation] = Invitation.objects.filter(pk=number, sent_count=sent)
    return found.select_for_update().first() if transaction.get_connection().in_atomic_block else found.first()


def accept(invitation: Invitation, person: User) -> None:
    """Store the new account with the invited roles, and delete the invitation. Call it in a transaction."""
    person.save()
    person.groups.set(invitation.roles.all())
    number = invitation.pk
    invitation.delete()
    record(Activity.INVITATION, f"invitation {number} accepted", account=person.pk, person=person.pk)


def expires_at(invitation: Invitation) -> datetime | None:
    """Return when the present link becomes invalid; None if there is no link yet."""
    return invitation.sent_at and invitation.sent_at + _life()


def _life() -> timedelta:
    return timedelta(days=settings.INVITATION_DAYS)
