"""Traces: what a collector is sent, and what it never is."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest
from django.test import Client

from plumbline import tracing
from tests.collector import Collector, attributes, collecting
from tests.plumbline.desk.runs.conftest import as_, viewer

__all__ = ["as_", "viewer"]
TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with collecting() as found:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", found.address)
        tracing.start("test")
        try:
            yield found
        finally:
            tracing.stop()


@pytest.mark.django_db
def test_a_request_is_a_span_by_its_route_below_that_of_its_caller(collector: Collector, viewer: Client) -> None:
    assert viewer.get("/runs/77/?note=private", headers={"traceparent": f"00-{TRACE}-{PARENT}-01"}).status_code == 404
    tracing.stop()
    (span,) = collector.spans
    assert span.name == "GET runs/<int:number>/"
    assert attributes(span) == {
        "http.request.method": "GET",
        "http.route": "runs/<int:number>/",
        "http.response.status_code": 404,
    }
    assert (span.trace_id.hex(), span.parent_span_id.hex()) == (TRACE, PARENT)
    assert collector.services == {"plumbline-test"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    "address", ["/survey/secretlink/", "/invitation/secretlink/", "/no/secretlink/", "/runs/?q=secretlink"]
)
def test_no_address_query_or_visitor_is_sent(collector: Collector, client: Client, address: str) -> None:
    client.get(address, REMOTE_ADDR="203.0.113.9", headers={"user-agent": "agent-of-somebody"})
    tracing.stop()
    assert len(collector.spans) == 1
    sent = b"".join(collector.bodies)
    assert not [word for word in (b"secretlink", b"203.0.113.9", b"agent-of-somebody") if word in sent]


def test_an_error_leaves_its_type_and_not_its_text(collector: Collector) -> None:
    with pytest.raises(ValueError, match="private"), tracing.span("scoring", plumbline_run=7, plumbline_shard=None):
        raise ValueError("private words")
    tracing.stop()
    (span,) = collector.spans
    assert attributes(span) == {"plumbline.run": 7, "error.type": "ValueError"}
    assert span.status.code == span.status.STATUS_CODE_ERROR
    assert b"private" not in b"".join(collector.bodies)


def test_a_collector_that_is_away_delays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9")
    tracing.start("test")
    with tracing.span("scoring") as span:
        assert span is not None
    tracing.stop()


def test_nothing_is_recorded_or_even_loaded_without_a_collector() -> None:
    code = "import sys; from plumbline import tracing; tracing.start('web'); print('opentelemetry' in sys.modules)"
    quiet = {key: value for key, value in os.environ.items() if not key.startswith("OTEL_")}
    told = subprocess.run([sys.executable, "-c", code], env=quiet, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "False"
    with tracing.span("scoring") as span:
        assert span is None
