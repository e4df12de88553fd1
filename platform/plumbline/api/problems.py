"""Errors as problem details (RFC 9457), of the API's operations and of everything around them."""

import json
from http import HTTPStatus
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.errors import HttpError, ValidationError

from plumbline.spec.errors import InputError, shown

MEDIA_TYPE = "application/problem+json"
CHALLENGE = 'Bearer realm="plumbline"'
NO_TOKEN = (
    "The request has no valid token. Send the header 'Authorization: Bearer TOKEN'. The token may be unknown, revoked"
    " or expired, or its account closed."
)
NOT_FOUND = "There is nothing at this address."


class TooManyRequestsError(HttpError):
    """The limit of a token is reached. `seconds` says when the next request will be answered."""

    def __init__(self, most: int, seconds: int) -> None:
        self.seconds = seconds
        super().__init__(429, f"A token may send {most} requests a minute. Wait {seconds} seconds.")


def problem(status: int, detail: str = "", **more: Any) -> HttpResponse:
    """Return a problem. `more` are members of its body beyond the standard's."""
    response = HttpResponse(status=status)
    write(response, detail, **more)
    return response


def write(response: HttpResponse, detail: str = "", **more: Any) -> None:
    """Make a response of an error a problem. Its status and its other headers stay."""
    status = response.status_code
    body = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": detail, **more}
    response.content = json.dumps({name: value for name, value in body.items() if value != ""}).encode()
    response["Content-Type"] = MEDIA_TYPE
    response["Content-Length"] = len(response.content)
    if status == HTTPStatus.UNAUTHORIZED:
        response["WWW-Authenticate"] = CHALLENGE


def handle_errors(api: NinjaAPI) -> None:
    """Register the handlers of the errors that operations raise. Others become a problem 500 in the middleware."""
    api.add_exception_handler(HttpError, _http_error)  # type: ignore[arg-type] # its type asks for any exception
    api.add_exception_handler(Http404, lambda request, error: problem(404, NOT_FOUND))
    api.add_exception_handler(ValidationError, _invalid)  # type: ignore[arg-type]
    api.add_exception_handler(InputError, lambda request, error: problem(422, str(error)))
    api.add_exception_handler(Exception, _unexpected)


def _http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
    response = problem(error.status_code, NO_TOKEN if error.status_code == HTTPStatus.UNAUTHORIZED else str(error))
    if isinstance(error, TooManyRequestsError):
        response["Retry-After"] = str(error.seconds)
    return response


def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Name each invalid value, without repeating long ones."""
    errors = [
        {
            "in": str(one["loc"][0]),
            "name": ".".join(map(str, one["loc"][1:])),
            "message": shown(one["msg"]).strip("'\""),
        }
        for one in error.errors
    ]
    return problem(422, "A parameter or the body is not valid.", errors=errors)


def _unexpected(request: HttpRequest, error: Any) -> HttpResponse:
    """Let Django log the error with its traceback, also in debug mode, where ninja would answer with it."""
    raise error
