"""What the page of a refusal says: which roles may do it, and who can give one."""

import re

from django import template

from plumbline.pages.roles import keepers_of_accounts, roles_with

register = template.Library()
MOST_NAMED = 3


@register.simple_tag
def who_may(refused: str) -> str:
    """Return a sentence about the roles that have the permissions of a refusal; "" if it names none."""
    permissions = refused.split()
    if not permissions or not all(re.fullmatch(r"\w+\.\w+", one) for one in permissions):
        return ""
    roles = roles_with(permissions)
    return f"It needs the role {' or '.join(roles)}." if roles else "Only superusers may do this."


@register.simple_tag
def who_gives_roles() -> list[str]:
    """Return the names of at most three people who can give roles."""
    return [person.get_username() for person in keepers_of_accounts()[:MOST_NAMED]]
