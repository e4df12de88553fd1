"""One request to a webhook: signed, to a checked address, without redirects."""

import json
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import httpx2

from plumbline.alerts.models import Delivery
from plumbline.alerts.webhooks.hosts import destination
from plumbline.alerts.webhooks.signing import HEADER, signature, unseal
from plumbline.spec.errors import InputError

SECONDS = 10.0
"""The time limit of connecting, and of each wait for bytes."""
MOST_SECONDS = 30.0
"""The time limit of a whole request. A receiver may send a byte of its answer just before each wait ends."""
LONGEST_TOLD = 20_000


def send(one: Delivery) -> str:
    """Send a delivery. Return "" once the receiver has answered with a status of 200 to 299, else the fault."""
    try:
        status = _asked(one)
    except InputError as error:
        return str(error)
    except httpx2.HTTPError as error:
        return f"{type(error).__name__}: {error}"[:500]
    return "" if 200 <= status < 300 else f"the receiver answered {status}"


def _asked(one: Delivery) -> int:
    """Return the status of the answer. Raises InputError for a forbidden address, or if the receiver takes too long."""
    to, content = destination(one.webhook.url), body(one)
    headers = {"Host": to.host_header, "Content-Type": "application/json", "User-Agent": "Plumbline"}
    headers |= {"Idempotency-Key": str(one.key)}
    headers |= {HEADER: signature(unseal(one.webhook.sealed_secret), int(time.time()), content)}
    extensions = {"sni_hostname": to.host}
    with (
        _client() as client,
        client.stream("POST", to.url, content=content, headers=headers, extensions=extensions) as answer,
    ):
        return answer.status_code  # its body is not read: it may be endless


@contextmanager
def _client() -> Iterator[httpx2.Client]:
    """Yield a client that is closed after MOST_SECONDS, whatever it waits for. Raises InputError then."""
    limits = httpx2.Limits(max_keepalive_connections=0)
    with httpx2.Client(
        verify=_certificates(), timeout=SECONDS, follow_redirects=False, trust_env=False, limits=limits
    ) as client:
        timer = threading.Timer(MOST_SECONDS, client.close)
        timer.start()
        try:
            yield client
        except Exception as error:
            if not client.is_closed:
                raise
            raise InputError(f"the receiver did not answer within {MOST_SECONDS:.0f} s") from error
        finally:
            timer.cancel()


@cache
def _certificates() -> ssl.SSLContext:
    """Return the certificates of this process: to load them takes most of the time of a request."""
    return httpx2.create_ssl_context(trust_env=False)


def body(one: Delivery) -> bytes:
    """Return the content of the request as JSON. It is the same for each attempt."""
    about: dict[str, Any] = {"id": str(one.key), "created_at": one.created_at.isoformat()}
    if one.alert is None:
        return json.dumps(about | {"event": "test", "webhook": one.webhook.name}).encode()
    alert = one.alert
    about |= {"event": "alert", "run": alert.run_number, "model": alert.model, "rules": alert.rules_name}
    return json.dumps(about | {"rule": alert.rule, "told": alert.told[:LONGEST_TOLD]}).encode()
