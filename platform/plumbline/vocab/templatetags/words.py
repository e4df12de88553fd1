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
    said = str(text)
    if said.isprintable():  # pages write thousands of words: this is the quick way for nearly all
        return said
    return "".join(f"⟨U+{ord(one):04X}⟩" if unicodedata.category(one) in REFUSED else one for one in said)
