"""A collector of OpenTelemetry's traces on loopback, which keeps the spans that it is sent."""

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Collector:
    def __init__(self) -> None:
        self.bodies: list[bytes] = []
        self.address = ""

    @property
    def spans(self) -> list[Any]:
        found = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return [span for one in found for of in one.resource_spans for scope in of.scope_spans for span in scope.spans]

    @property
    def services(self) -> set[str]:
        found = [ExportTraceServiceRequest.FromString(body) for body in self.bodies]
        return {attributes(of.resource)["service.name"] for one in found for of in one.resource_spans}


def attributes(of: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in of.attributes}


@contextmanager
def collecting() -> Iterator[Collector]:
    found = Collector()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            found.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.address = f"http://127.0.0.1:{server.server_port}"
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield found
    finally:
        server.shutdown()
        server.server_close()
