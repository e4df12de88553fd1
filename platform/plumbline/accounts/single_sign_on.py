"""Whom a sign-in by the provider admits. The verified mail address decides, and never a name.

No link between an account and the provider is stored: each sign-in looks for the address anew.
"""

import string
from typing import Any

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from plumbline.accounts import invitations
from plumbline.accounts.models import Invitation

WAY = "single sign-on"
LONGEST_NAME = 150
_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)


class RefusedError(Exception):
    """Why nobody is admitted, as a sentence for the person; `account` is its number if there is one."""

    def __init__(self, why: str, account: int | None = None) -> None:
        super().__init__(why)
        self.account = account


@transaction.atomic
def admitted(claims: dict[str, Any]) -> User:
    """Return the active account of the verified address, an invited or new one if need be. Raises RefusedError."""
    email = verified_address(claims)
    found = [one for one in User.objects.filter(email__iexact=email) if _is_same(one.email, email)]
    if len(found) > 1:
        raise RefusedError("Several accounts have your mail address. Ask an admin to correct this.")
    person = found[0] if found else _new_account(email)
    if not person.is_active:
        raise RefusedError("Your account is not active. Ask an admin.", person.pk)
    return person


def verified_address(claims: dict[str, Any]) -> str:
    """Return the address. Raises RefusedError if the provider does not say that it has verified it."""
    email, verified = claims.get("email"), claims.get("email_verified")
    if not isinstance(email, str) or not email:
        raise RefusedError("Your identity provider gave no mail address.")
    if verified is not True and verified != "true":
        raise RefusedError("Your identity provider has not verified your mail address.")
    return email


def _is_same(one: str, other: str) -> bool:
    """Compare without regard to case. The database's comparison takes some different letters as equal."""
    return one.translate(_LOWER) == other.translate(_LOWER)


def _new_account(email: str) -> User:
    """Accept the open invitation of this address, or make an account without a role where SSO_MAKES_ACCOUNTS is set."""
    invitation = _invitation(email)
    if invitation is None and not settings.SSO_MAKES_ACCOUNTS:
        raise RefusedError("You have no account here. Ask an admin to invite your mail address.")
    if len(email) > LONGEST_NAME or User.objects.filter(username__iexact=email).exists():
        raise RefusedError("An account with another mail address has this name. Ask an admin to correct this.")
    person = User(username=email, email=email)
    person.set_unusable_password()
    if invitation is None:
        person.save()
    else:
        invitations.accept(invitation, person)
    return person


def _invitation(email: str) -> Invitation | None:
    found = Invitation.objects.select_for_update().filter(email__iexact=email).first()
    until = found and invitations.expires_at(found)
    return found if found and until and until > timezone.now() and _is_same(found.email, email) else None
