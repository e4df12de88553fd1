"""Multiple-choice questions in the admin: the options, and the role of each."""

from collections.abc import Mapping
from typing import Any

from django.utils.html import format_html_join

MARKS = (("gold", "right"), ("target", "bias target"), ("unknown", "UNKNOWN"))


def has_options(content: Mapping[str, Any]) -> bool:
    """Return whether the question lets a model choose."""
    return "options" in content


def options_of(content: Mapping[str, Any]) -> str:
    """Return a line for each option. Its role follows in words, since not everyone can distinguish colours."""
    lines = [(option, marks_of(content, place)) for place, option in enumerate(content.get("options", ()))]
    return format_html_join("", "<p>{} <b>{}</b></p>", lines)


def marks_of(content: Mapping[str, Any], place: int) -> str:
    found = [word for key, word in MARKS if content.get(key) == place]
    return f"({', '.join(found)})" if found else ""


def condition_of(content: Mapping[str, Any]) -> str:
    """Return condition and polarity in words."""
    polarity = {"neg": "negative", "nonneg": "non-negative"}.get(content.get("polarity", ""), "")
    condition = {"ambig": "ambiguous", "disambig": "disambiguated"}.get(content.get("condition", ""), "")
    return ", ".join(word for word in (condition, polarity) if word)
