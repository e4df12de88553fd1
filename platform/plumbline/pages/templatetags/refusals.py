"""What the page of a refusal says: which roles may do it, and who can give one."""

import re
from collections.abc import Sequence

from django import template
from django.http import HttpRequest
from django.template import Context

from plumbline.pages.roles import keepers_of_accounts, roles_with

register = template.Library()
MOST_NAMED = 3
ASKED = {"add": ("add",), "delete": ("delete",), "import": ("add", "change"), "preview": ("add", "change")}
"""The actions that a page of the admin does, by its name. Others show something, or change it when they are sent."""


@register.simple_tag(takes_context=True)
def who_may(context: Context, refused: str) -> str:
    """Return a sentence about the roles that have the permissions of a refusal; "" if nobody can tell which."""
    permissions = refused.split()
    if not permissions:
        asked = _of_admin_page(context["request"])
        return _needs(roles_with(asked)) if asked else ""
    if not all(re.fullmatch(r"\w+\.\w+", one) for one in permissions):
        return ""
    return _needs(roles_with(permissions)) or "Only superusers may do this."


def _needs(roles: Sequence[str]) -> str:
    return f"It needs the role {' or '.join(roles)}." if roles else ""


def _of_admin_page(request: HttpRequest) -> list[str]:
    """Return the permissions that a page of the admin asks for, by its name: the admin's own refusal names none.

    Where the person has them, the page refuses everybody, so no role would help.
    """
    match = request.resolver_match
    parts = (match.url_name or "").split("_") if match and match.namespace == "admin" else []
    if len(parts) != 3:
        return []
    app, model, page = parts
    actions = ASKED.get(page, ("change",) if request.method == "POST" else ("view",))
    found = [f"{app}.{action}_{model}" for action in actions]
    return [] if request.user.has_perms(found) else found


@register.simple_tag
def who_gives_roles() -> list[str]:
    """Return the names of at most three people who can give roles."""
    return [person.get_username() for person in keepers_of_accounts()[:MOST_NAMED]]
