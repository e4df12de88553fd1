"""Middleware that refuses addresses with characters that no text in the database has: NUL and lone surrogates.

PostgreSQL cannot store them, so every filter, search and look-up with one would end in an error.
"""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

FAULT = "Its address contains a character that no text has, such as NUL"


class StorableText:
    """Answer 400 to a request whose path or query cannot be a text of the database."""

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        texts = chain([request.path_info], *((key, *values) for key, values in request.GET.lists()))
        if all(_are_storable(texts)):
            return self.get_response(request)
        return HttpResponse(render_to_string("refused_address.html", {"fault": FAULT}), status=400)


def _are_storable(texts: Iterable[str]) -> Iterable[bool]:
    return ("\0" not in text and not any("\ud800" <= one <= "\udfff" for one in text) for text in texts)
