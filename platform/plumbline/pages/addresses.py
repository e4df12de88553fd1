"""The query of an address: the values that it chooses, and the queries of adjacent pages."""

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest


def whole_number(request: HttpRequest, name: str) -> int | None:
    """Return the query's value as a whole number, or None if it is not one."""
    return as_whole_number(request.GET.get(name, ""))


def as_whole_number(text: str) -> int | None:
    """Return what a person or a form sent as a whole number, or None if it is not one that the database can hold."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def numbered(request: HttpRequest, key: str, choices: Sequence[Any]) -> int:
    """Return the index that the query chooses, from 0, or 0 for an invalid one."""
    text = request.GET.get(key, "")
    place = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0
    return place if place < len(choices) else 0


def page_links(chosen: Mapping[str, str], ids: Sequence[int], *, more_before: bool, more_after: bool) -> dict[str, str]:
    """Return the queries of the first, the previous and the next page, each if it exists.

    `chosen` holds the filters, which every page keeps. The ids are ascending.
    """
    found: dict[str, Mapping[str, str | int]] = {"first": chosen} if more_before else {}
    if ids and more_before:
        found["before"] = {**chosen, "before": ids[0]}
    if ids and more_after:
        found["after"] = {**chosen, "after": ids[-1]}
    return {name: "?" + urlencode(query) for name, query in found.items()}
