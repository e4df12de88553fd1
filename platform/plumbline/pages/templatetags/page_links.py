"""Sentences of other modules whose names of pages become links."""

from django import template
from django.contrib.auth.models import User
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html

from plumbline.findings.sign_off.people import PEOPLE_PAGE
from plumbline.pages.visible import visible

register = template.Library()


@register.simple_tag(takes_context=True)
def with_people_link(context: Context, text: str) -> str:
    """Return the text, with the name of the page of accounts as a link for a person who may open that page."""
    person: User = context["user"]
    before, name, after = text.partition(PEOPLE_PAGE)
    if not (name and person.has_perm("auth.change_user")):
        return visible(text)
    return format_html('{}<a href="{}">{}</a>{}', visible(before), reverse("people"), name, visible(after))
