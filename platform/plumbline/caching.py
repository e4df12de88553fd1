"""Middleware that keeps pages behind a login out of caches, where Back would show them after logging out."""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest


class NoStore:
    """Add `Cache-Control: no-store` to every answer to a person who is logged in."""

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        was_known = request.user.is_authenticated
        response = self.get_response(request)
        if was_known or request.user.is_authenticated:
            response["Cache-Control"] = "no-store, private"
        return response
