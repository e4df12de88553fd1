"""The line about single sign-on: whether the provider answers, and with a valid discovery document."""

from collections.abc import Iterator

import requests
from django.conf import settings

from plumbline.accounts.identity_provider import ProviderError, checked_document
from plumbline.desk.doctor.line import Line, note, ok, wrong

SUBJECT = "sign-on"
WELL_KNOWN = "/.well-known/openid-configuration"
ANSWER_SECONDS = 5.0


def lines() -> Iterator[Line]:
    given = [name for name in ("SSO_ISSUER", "SSO_CLIENT_ID", "SSO_CLIENT_SECRET") if getattr(settings, name)]
    if not given:
        yield note(SUBJECT, "SSO_ISSUER is not set, so there is no single sign-on")
    elif len(given) < 3:
        yield wrong(SUBJECT, f"only {', '.join(given)} is set", "set SSO_ISSUER, SSO_CLIENT_ID and SSO_CLIENT_SECRET")
    else:
        yield _provider()


def _provider() -> Line:
    try:
        answer = requests.get(settings.SSO_ISSUER.rstrip("/") + WELL_KNOWN, timeout=ANSWER_SECONDS)
        answer.raise_for_status()
        checked_document(answer.json())
    except (requests.RequestException, ProviderError) as error:
        return wrong(SUBJECT, f"single sign-on fails, {error}", "correct SSO_ISSUER or start the provider")
    if not settings.SSO_ISSUER.startswith("https://"):
        return note(SUBJECT, f"{settings.SSO_ISSUER} answers, but without TLS", "use an address with https://")
    return ok(SUBJECT, f"{settings.SSO_ISSUER} answers with a valid discovery document")
