"""The second factor: time-based codes (TOTP, RFC 6238) and recovery codes.

allauth stores the secrets and computes the codes. It remembers used codes in a cache, which each web process has for
itself. Here the row of the secret keeps the number of the last used period, so a code works once over all processes.
"""

from dataclasses import dataclass

import structlog
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal import auth as totp
from allauth.mfa.utils import decrypt
from cryptography.fernet import InvalidToken
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from plumbline.accounts.log import recent, record
from plumbline.accounts.models import Activity

LAST_PERIOD = "last_period"
WRONG_CODE = "wrong code of the second factor"
MOST_WRONG_CODES = 10
"""Wrong codes of an account in 15 minutes, from all network addresses. Six digits have only a million values."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SetUp:
    """A secret that is not stored yet, as an address for the app and as a picture of it."""

    secret: str
    address: str
    picture: str


def is_set_up(person: User) -> bool:
    return bool(Authenticator.objects.filter(user=person, type=Authenticator.Type.TOTP).exists())


def new_secret() -> str:
    return str(totp.generate_totp_secret())


def shown(person: User, secret: str) -> SetUp:
    adapter = get_adapter()
    address = adapter.build_totp_url(person, secret)
    # A page takes the picture without the declaration of a file.
    return SetUp(secret, address, adapter.build_totp_svg(address).partition("?>")[2])


@transaction.atomic
def set_up(person: User, secret: str, code: str) -> list[str] | None:
    """Store the secret if the code is one of it, and return the recovery codes. None: a wrong code."""
    period = _period_of(secret, code, after=0)
    if period is None or is_set_up(person):
        return None
    made = totp.TOTP.activate(person, secret).instance
    made.data[LAST_PERIOD] = period
    made.save(update_fields=["data"])
    record(Activity.SECOND_FACTOR, "set up", account=person.pk, person=person.pk)
    return _new_recovery_codes(person)


@transaction.atomic
def is_right(person: User, code: str) -> bool:
    """Return whether the code is right and use it up: a code of the app or a recovery code."""
    try:
        return _is_code_of_app(person, code) or _is_recovery_code(person, code)
    except InvalidToken:
        log.error("a second factor was encrypted with another SECRET_KEY; an admin must remove it", account=person.pk)
        return False


@transaction.atomic
def renew_recovery_codes(person: User) -> list[str]:
    """Replace the recovery codes and return the new ones."""
    _of(person, Authenticator.Type.RECOVERY_CODES).delete()
    record(Activity.SECOND_FACTOR, "new recovery codes", account=person.pk, person=person.pk)
    return _new_recovery_codes(person)


@transaction.atomic
def remove(person: User, by: int | None) -> bool:
    """Remove the second factor of a person. Returns False if there is none. `by` is None for a command."""
    deleted, _ = Authenticator.objects.filter(user=person).delete()
    if deleted and by is None:
        record(Activity.SECOND_FACTOR, "removed", account=person.pk)
    elif deleted:
        record(Activity.SECOND_FACTOR, "removed", account=person.pk, person=by)
    return bool(deleted)


def recovery_codes_left(person: User) -> int:
    found = _of(person, Authenticator.Type.RECOVERY_CODES).first()
    try:
        return len(RecoveryCodes(found).get_unused_codes()) if found else 0
    except InvalidToken:
        return 0


def is_guessed_at(person: User) -> bool:
    """Return whether so many wrong codes came for this account that no more are tried for a while."""
    return recent(account=person.pk, about=WRONG_CODE).count() >= MOST_WRONG_CODES


def record_wrong_code(person: User) -> None:
    """Count a wrong code that a logged-in person gave. Those of logins are recorded as refused logins."""
    record(Activity.SECOND_FACTOR, WRONG_CODE, account=person.pk, person=person.pk)


def _of(person: User, kind: str) -> QuerySet[Authenticator]:
    found: QuerySet[Authenticator] = Authenticator.objects.filter(user=person, type=kind)
    return found


def _new_recovery_codes(person: User) -> list[str]:
    return list(RecoveryCodes.activate(person).generate_codes())


def _is_code_of_app(person: User, code: str) -> bool:
    """Look for the code among those of periods after the last used one. The row stays locked meanwhile."""
    row = _of(person, Authenticator.Type.TOTP).select_for_update().first()
    if row is None:
        return False
    period = _period_of(decrypt(row.data["secret"]), code, after=row.data.get(LAST_PERIOD, 0))
    if period is None:
        return False
    row.data[LAST_PERIOD], row.last_used_at = period, timezone.now()
    row.save(update_fields=["data", "last_used_at"])
    return True


def _is_recovery_code(person: User, code: str) -> bool:
    row = _of(person, Authenticator.Type.RECOVERY_CODES).first()
    return row is not None and bool(RecoveryCodes(row).validate_code(code))


def _period_of(secret: str, code: str, after: int) -> int | None:
    """Return the period of half a minute whose code this is; None if it is none of the present ones."""
    for period in totp.yield_hotp_counters_from_time():
        expected = totp.format_hotp_value(totp.hotp_value(secret, period))
        if period > after and totp.compare_user_code(actual=code, expected=expected):
            return int(period)
    return None
