"""One request to a webhook: signed, to a checked address, without redirects."""

import json
import time
from functools import cache
from typing import Any

import httpx2

from plumbline.alerts.models import Delivery
from plumbline.alerts.webhooks.hosts import destination
from plumbline.alerts.webhooks.signing import HEADER, signature, unseal
from plumbline.spec.errors import InputError

SECONDS = 10.0
"""The time limit of connecting, and of each wait for bytes."""
LONGEST_TOLD = 20_000


def send(one: Delivery) -> str:
    """Send a delivery. Return "" once the receiver has answered with a status of 200 to 299, else the fault."""
    try:
        to = destination(one.webhook.url)
        content = body(one)
        headers = {"Host": to.host_header, "Content-Type": "application/json", "User-Agent": "Plumbline"}
        headers |= {"Idempotency-Key": str(one.key)}
        headers |= {HEADER: signature(unseal(one.webhook.sealed_secret), int(time.time()), content)}
        extensions = {"sni_hostname": to.host}
        with _client().stream("POST", to.url, content=content, headers=headers, extensions=extensions) as answer:
            status = answer.status_code  # its body is not read: it may be endless
    except InputError as error:
        return str(error)
    except httpx2.HTTPError as error:
        return f"{type(error).__name__}: {error}"[:500]
    return "" if 200 <= status < 300 else f"the receiver answered {status}"


@cache
def _client() -> httpx2.Client:
    """Return the client of this process: to load the certificates takes most of the time of a request."""
    limits = httpx2.Limits(max_keepalive_connections=0)
    return httpx2.Client(timeout=SECONDS, follow_redirects=False, trust_env=False, limits=limits)


def body(one: Delivery) -> bytes:
    """Return the content of the request as JSON. It is the same for each attempt."""
    about: dict[str, Any] = {"id": str(one.key), "created_at": one.created_at.isoformat()}
    if one.alert is None:
        return json.dumps(about | {"event": "test", "webhook": one.webhook.name}).encode()
    alert = one.alert
    about |= {"event": "alert", "run": alert.run_number, "model": alert.model, "rules": alert.rules_name}
    return json.dumps(about | {"rule": alert.rule, "told": alert.told[:LONGEST_TOLD]}).encode()
