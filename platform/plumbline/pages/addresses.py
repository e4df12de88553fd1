"""What the query of an address chooses."""

from collections.abc import Sequence
from typing import Any

from django.http import HttpRequest


def whole_number(request: HttpRequest, name: str) -> int | None:
    """Of the address; None for what is none."""
    text = request.GET.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else None


def numbered(request: HttpRequest, key: str, choices: Sequence[Any]) -> int:
    """The place that the address chooses, from 0 on; the first for one that is none."""
    text = request.GET.get(key, "")
    place = int(text) if text.isascii() and text.isdecimal() and len(text) < 9 else 0
    return place if place < len(choices) else 0
