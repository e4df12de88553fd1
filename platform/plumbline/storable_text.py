"""Middleware that refuses addresses and forms with characters that the database cannot store: NUL, lone surrogates.

Every filter, search, look-up and new row with one would end in an error.
"""

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.template.loader import render_to_string

FAULT = "{where} contains a character that no text has, such as NUL"


class StorableText:
    """Answer 400 to a request whose path, query or form cannot be texts of the database."""

    def __init__(self, get_response: Callable[[HttpRequest], Any]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> Any:
        texts = chain([request.path_info], *((key, *values) for key, values in request.GET.lists()))
        if all(_are_storable(texts)):
            return self.get_response(request)
        return _refusal("Its address")

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Check the form too. What is no form, such as JSON, has its own checks."""
        try:
            texts = chain.from_iterable((key, *values) for key, values in request.POST.lists())
        except UnreadablePostError:
            return None  # the connection broke off, and whoever reads the form next says so
        return None if all(_are_storable(texts)) else _refusal("Its form")


def _refusal(where: str) -> HttpResponse:
    page = render_to_string("refused_address.html", {"fault": FAULT.format(where=where)})
    return HttpResponse(page, status=400)


def _are_storable(texts: Iterable[str]) -> Iterable[bool]:
    return ("\0" not in text and not any("\ud800" <= one <= "\udfff" for one in text) for text in texts)
