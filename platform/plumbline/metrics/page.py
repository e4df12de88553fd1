"""The address /metrics, for Prometheus: behind a token with the scope metrics, never behind a login."""

import math

from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest

from plumbline.api import tokens
from plumbline.api.problems import CHALLENGE
from plumbline.api.scopes import Scope
from plumbline.metrics.collecting import OperationCollector


@login_not_required
@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Return all metrics as text; 401 without a valid token, 403 without the scope, 429 above the token's limit."""
    return _refusal(request) or _all()


def _refusal(request: HttpRequest) -> HttpResponse | None:
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    admitted = tokens.admit(secret) if kind.lower() == "bearer" else None
    if admitted is None:
        return _text(401, "Send a valid token as 'Authorization: Bearer TOKEN'.", {"WWW-Authenticate": CHALLENGE})
    if admitted.requests > settings.API_REQUESTS_PER_MINUTE:
        wait = str(max(1, math.ceil(admitted.seconds_left)))
        return _text(429, f"Too many requests of this token. Wait {wait} seconds.", {"Retry-After": wait})
    if not admitted.may(Scope.METRICS):
        return _text(403, "The token does not have the scope 'metrics', or its account lost its role.", {})
    return None


def _text(status: int, message: str, headers: dict[str, str]) -> HttpResponse:
    return HttpResponse(f"{message}\n", status=status, content_type="text/plain; charset=utf-8", headers=headers)


def _all() -> HttpResponse:
    return HttpResponse(generate_latest(OperationCollector()), content_type=CONTENT_TYPE_PLAIN_0_0_4)
