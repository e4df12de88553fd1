"""Middleware that keeps pages behind a login out of caches, where Back would show them after logging out."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.http import HttpRequest


class NoStore:
    """Add `Cache-Control: no-store` to every answer that depends on a person's login.

    Reading the session anew could fail without a database, so an answer that did not read it stays as it is.
    """

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        response = self.get_response(request)
        if request.session.accessed and SESSION_KEY in request.session:
            response["Cache-Control"] = "no-store, private"
        return response
