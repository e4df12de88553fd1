"""Filters of reports: `{{ "target_bridge"|spoken }}`, `{{ measure|sample }}`."""

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from plumbline.pages import titles
from plumbline.pages.visible import visible
from plumbline.spec import numbers
from plumbline.spec.sentences import Piece

register = template.Library()


@register.filter
def marked(pieces: Sequence[Piece]) -> SafeString:
    """Return a sentence with its words marked and all of it escaped."""
    return format_html_join("", "{}", ((_piece(one),) for one in pieces))


def _piece(one: Piece) -> str:
    return format_html("<mark>{}</mark>", visible(one.text)) if one.slot else visible(one.text)


spoken = register.filter("spoken", titles.spoken)
sample = register.filter("sample", numbers.sample)
