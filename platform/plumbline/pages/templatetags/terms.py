"""The meaning of a glossary's term, for pages that explain it in place."""

from django import template

from plumbline.pages.glossary import TERMS

register = template.Library()
MEANINGS = {one.name: one.meaning for one in TERMS}


@register.simple_tag
def meaning_of(name: str) -> str:
    """Return the meaning of a term. Raises KeyError for a term that the glossary lacks."""
    return MEANINGS[name]
