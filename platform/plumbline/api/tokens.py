"""Making, revoking and admitting tokens.

A secret has 256 random bits, so one round of SHA-256 is enough: there is nothing to guess by trying words.
"""

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import AnonymousUser, User
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from plumbline.accounts.log import record
from plumbline.accounts.models import Activity
from plumbline.api.models import MANAGE, Token
from plumbline.api.scopes import NEEDS
from plumbline.spec.digests import digest_of_bytes

PREFIX = "plumbline_"
"""Secrets begin with it, so that scanners for leaked secrets can recognise them."""
HINT = 4
"""The number of random characters of a secret that stay visible."""
COMMAND_LINE = 0
_ADMIT = """
UPDATE api_token SET
    last_used_at = clock_timestamp(),
    window_began_at = CASE WHEN window_began_at > clock_timestamp() - interval '1 minute' THEN window_began_at
        ELSE clock_timestamp() END,
    window_requests = CASE WHEN window_began_at > clock_timestamp() - interval '1 minute' THEN window_requests + 1
        ELSE 1 END
WHERE digest = %(digest)s AND revoked_at IS NULL AND expires_at > clock_timestamp()
RETURNING id, window_requests, extract(epoch FROM window_began_at + interval '1 minute' - clock_timestamp())
"""


@dataclass(frozen=True, slots=True)
class Admitted:
    """A valid token, its requests in the current minute, and the seconds until the next minute begins."""

    token: Token
    requests: int
    seconds_left: float

    @property
    def user(self) -> User | AnonymousUser:
        return self.token.person or AnonymousUser()

    def may(self, scope: str) -> bool:
        """Return whether the token has the scope, and its person the permission for it now."""
        person = self.token.person
        return scope in self.token.scopes and (person is None or person.has_perm(NEEDS[scope]))


def digest_of(secret: str) -> str:
    return digest_of_bytes(secret.encode("utf-8", "surrogatepass"))


@transaction.atomic
def make(
    name: str, scopes: Collection[str], days: int, *, person: User | None, by: User | None = None
) -> tuple[Token, str]:
    """Store a new token and return it with its secret, which cannot be read again. `by` is None on the command line."""
    secret = PREFIX + secrets.token_urlsafe(32)
    token = Token.objects.create(
        digest=digest_of(secret),
        hint=secret[: len(PREFIX) + HINT],
        name=name,
        person=person,
        scopes=sorted(scopes),
        made_by=by.pk if by else COMMAND_LINE,
        made_name=by.get_username() if by else "",
        expires_at=timezone.now() + timedelta(days=days),
    )
    about = f"API token {token.pk} made: {', '.join(token.scopes)}, {days} days" + ("" if person else ", for a machine")
    _record(about, person.pk if person else None, by)
    return token, secret


@transaction.atomic
def revoke(token: Token, by: User | None = None) -> bool:
    """Revoke a token for good. Returns False if it was revoked before."""
    revoked = Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
    if revoked:
        _record(f"API token {token.pk} revoked", token.person_id, by)
    return bool(revoked)


def _record(about: str, account: int | None, by: User | None) -> None:
    """Add an entry to the activity log. Without a person, it names the command of the present context."""
    if by is None:
        record(Activity.TOKEN, about, account=account)
    else:
        record(Activity.TOKEN, about, account=account, person=by.pk)


def admit(secret: str) -> Admitted | None:
    """Count a request and return its token; None for an unknown, revoked or expired one and for a closed account.

    One statement finds, dates and counts, so the limit holds over all processes of the web server.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        # A crash of the server may forget the last uses. Nobody needs to wait for the disk.
        cursor.execute("SET LOCAL synchronous_commit TO off")
        cursor.execute(_ADMIT, {"digest": digest_of(secret)})
        found = cursor.fetchone()
    if found is None:
        return None
    token = Token.objects.select_related("person").get(pk=found[0])
    if token.person is not None and not token.person.is_active:
        return None
    return Admitted(token, found[1], float(found[2]))


def visible_to(person: User) -> QuerySet[Token]:
    """Return the tokens that a person may see and revoke: own ones, and all for an admin."""
    tokens = Token.objects.select_related("person")
    return tokens if person.has_perm(MANAGE) else tokens.filter(Q(person=person))
