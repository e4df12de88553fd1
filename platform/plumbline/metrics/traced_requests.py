"""A span for each request, named by its route: `GET runs/<int:number>/`."""

from collections.abc import Callable

from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse

from plumbline import tracing

CALLER = "traceparent"


class TracedRequests:
    """Records each request. The address itself stays unknown: that of a survey or an invitation is a secret."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        if not tracing.wanted():
            raise MiddlewareNotUsed
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        caller = {CALLER: request.headers[CALLER]} if CALLER in request.headers else {}
        with tracing.span(str(request.method), caller, http_request_method=request.method) as span:
            response = self.get_response(request)
            if span is not None:
                _describe(span, request, response.status_code)
            return response


def _describe(span: object, request: HttpRequest, status: int) -> None:
    route = request.resolver_match.route if request.resolver_match else ""
    span.update_name(f"{request.method} {route}".strip())  # type: ignore[attr-defined]
    span.set_attributes({"http.route": route, "http.response.status_code": status})  # type: ignore[attr-defined]
    if status >= 500:
        tracing.failed(span, str(status))
