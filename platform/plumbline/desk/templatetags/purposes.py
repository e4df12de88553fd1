"""What the templates of the admin add to its theme: what a page is for, and names for screen readers."""

from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe

from plumbline.desk.admin_purposes import Purpose, purpose_of

register = template.Library()

LANDMARKS = {
    '<div id="main"': '<div id="main" role="main"',
    'id="nav-sidebar-apps"': 'id="nav-sidebar-apps" data-simplebar-aria-label="Sidebar"',
    "data-simplebar data-simplebar-auto": 'data-simplebar data-simplebar-aria-label="Table" data-simplebar-auto',
}
"""Markup of the theme, and the same with the landmark or the name that it lacks."""


@register.simple_tag
def admin_purpose(opts: Any) -> Purpose | None:
    """Return the purpose of a table by its model's options, or None."""
    return purpose_of(opts.label_lower) if opts else None


@register.filter(is_safe=True)
def with_landmarks(page: SafeString) -> SafeString:
    """Return the rendered body of a page of the admin with landmarks. The values in it are escaped already."""
    for without, complete in LANDMARKS.items():
        page = mark_safe(page.replace(without, complete))  # noqa: S308
    return page
