"""Traces by OpenTelemetry: a span for each request and each piece of a run.

Nothing is recorded unless OTEL_EXPORTER_OTLP_ENDPOINT names a collector. Spans hold names, numbers and states. They
hold no address, no query and no text of an error, which may tell who answers a survey, what people search for, or a
secret link.
"""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
OFF = "OTEL_SDK_DISABLED"

_provider: Any = None


def wanted() -> bool:
    """Return whether the environment names a collector of traces."""
    return any(map(os.environ.get, ENDPOINTS)) and os.environ.get(OFF, "").lower() != "true"


def start(service: str) -> None:
    """Send the spans of this process from now on, if a collector is named.

    A thread sends them, so a process that forks calls this in its children. OTEL_SERVICE_NAME and
    OTEL_RESOURCE_ATTRIBUTES of the environment count before `service`.
    """
    global _provider
    if not wanted():
        return
    # To import them takes a tenth of a second, which no process should pay that sends nothing.
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    own = {} if os.environ.get("OTEL_SERVICE_NAME") else {"service.name": f"plumbline-{service}"}
    _provider = TracerProvider(resource=Resource.create(own), shutdown_on_exit=False)
    _provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))


def stop() -> None:
    """Send what waits, and end."""
    global _provider
    if _provider is not None:
        _provider.shutdown()
        _provider = None


@contextmanager
def span(name: str, headers: Mapping[str, str] | None = None, **attributes: Any) -> Iterator[Any]:
    """Record a piece of work, and give its span; None if nothing is recorded.

    `headers` may name the span of a caller (`traceparent`). Attributes have dots where their keywords have underscores.
    An error leaves its type only.
    """
    if _provider is None:
        yield None
        return
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    parent = TraceContextTextMapPropagator().extract(headers or {})
    named = {key.replace("_", "."): value for key, value in attributes.items() if value is not None}
    opened = _provider.get_tracer("plumbline").start_as_current_span(
        name, context=parent, attributes=named, record_exception=False, set_status_on_exception=False
    )
    with opened as found:
        try:
            yield found
        except BaseException as error:
            failed(found, type(error).__name__)
            raise


def failed(found: Any, kind: str) -> None:
    """Mark a span as failed, with the type of the error or the status of the answer."""
    from opentelemetry.trace import StatusCode

    found.set_status(StatusCode.ERROR)
    found.set_attribute("error.type", kind)
