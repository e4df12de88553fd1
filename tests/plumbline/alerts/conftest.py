"""Rules about ilps, a finished run that breaks them, and a receiver of webhooks."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
import yaml
from pytest_django import Settings

from plumbline.alerts.models import RuleSet, Webhook
from plumbline.alerts.webhooks import signing
from tests.serving import served

SECRET = "a secret of the tests"


def rules_text(*names: str, **changes: Any) -> str:
    rules = [{"name": name, "statistic": "ilps_difference", "smallest_effect": 0.3} | changes for name in names]
    return yaml.safe_dump({"rules": rules})


@pytest.fixture
def rule_set(db: None) -> RuleSet:
    return RuleSet.objects.create(name="release", probe="ilps", rules=rules_text("no stereotype over a list"))


class Receiver(ThreadingHTTPServer):
    """A server that remembers what it took. `answers` gives the status of each request, then 200."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.taken: list[tuple[dict[str, str], dict[str, Any]]] = []
        self.refused = 0
        self.statuses: Iterator[int] = iter(())
        self.lock = threading.Lock()

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.server_address[1]}"

    @property
    def keys(self) -> list[str]:
        return [headers["Idempotency-Key"] for headers, _ in self.taken]


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.lock:
            status = next(self.server.statuses, 200)
            if status == 200:
                self.server.taken.append((dict(self.headers), json.loads(content)))
                self.server.raw = content  # type: ignore[attr-defined]
            else:
                self.server.refused += 1
        self.send_response(status)
        if status == 302:
            self.send_header("Location", "/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Nothing: the test tells what it saw."""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with served(Receiver()) as server:
        yield server


@pytest.fixture
def webhook(db: None, receiver: Receiver, settings: Settings) -> Webhook:
    settings.WEBHOOK_HOSTS = [receiver.host]
    return Webhook.objects.create(
        name="chat", url=f"http://{receiver.host}/hook?team=1", sealed_secret=signing.seal(SECRET)
    )
