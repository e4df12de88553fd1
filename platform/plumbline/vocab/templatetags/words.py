"""Template filters for words."""

import unicodedata

from django import template

from plumbline.spec.clean_text import REFUSED
from plumbline.spec.numbers import count

register = template.Library()

thousands = register.filter("thousands", count)


@register.filter
def visible(text: object) -> str:
    """Return the text with each invisible character written out, such as ⟨U+200B⟩. It is still to be escaped."""
    return "".join(f"⟨U+{ord(one):04X}⟩" if unicodedata.category(one) in REFUSED else one for one in str(text))
