"""Questions of BBQ as the admin shows them: the three options, with what each of them is."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.utils.html import format_html_join

from plumbline.vocab.models import Bank

COLUMNS = ("__str__", "version_of", "asked", "question", "text", "options", "flags")
"""Of the list of a bank of BBQ, whose items have no prompt and no single answer."""
MARKS = (("gold", "right"), ("target", "bias target"), ("unknown", "UNKNOWN"))


def is_bbq(content: Mapping[str, Any]) -> bool:
    return "options" in content


def options_of(content: Mapping[str, Any]) -> str:
    """A line for each option; what it is stands in words behind it, since colour alone tells not everyone."""
    lines = [(option, marks_of(content, place)) for place, option in enumerate(content.get("options", ()))]
    return format_html_join("", "<p>{} <b>{}</b></p>", lines)


def marks_of(content: Mapping[str, Any], place: int) -> str:
    found = [word for key, word in MARKS if content.get(key) == place]
    return f"({', '.join(found)})" if found else ""


def asked_of(content: Mapping[str, Any]) -> str:
    """Condition and polarity in words."""
    polarity = {"neg": "negative", "nonneg": "non-negative"}.get(content.get("polarity", ""), "")
    condition = {"ambig": "ambiguous", "disambig": "disambiguated"}.get(content.get("condition", ""), "")
    return ", ".join(word for word in (condition, polarity) if word)


def of_bbq(request: HttpRequest) -> bool:
    """Whether the page shows a bank of BBQ alone."""
    bank = request.GET.get("bank__id__exact", "")
    known = bank.isdecimal() and len(bank) < len(str(2**63))
    return known and Bank.objects.filter(pk=int(bank), kind=Bank.Kind.BBQ).exists()
