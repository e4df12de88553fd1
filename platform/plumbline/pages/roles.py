"""Roles: groups with permissions, written anew by each migrate from what each app declares.

viewer: sees everything, asks with SQL, keeps questions of their own and what they expect of a score. reviewer: a viewer
who annotates, comments and signs off. curator: a viewer who edits vocabularies. auditor: a viewer who plans, launches,
schedules and makes tasks for annotators. admin: all of these, others' saved questions, and people.
"""

from typing import Any

from django.apps import apps
from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.db.models import Q

VIEWER = "viewer"
SEE = "audits.view_run"
ROLES = (VIEWER, "reviewer", "curator", "auditor", "admin")


def write_roles(**_: Any) -> None:
    """Make each role's permissions what the apps declare; groups of other names are somebody's own."""
    for name in ROLES:
        group, _made = Group.objects.get_or_create(name=name)
        group.permissions.set(Permission.objects.filter(permissions_of(VIEWER) | permissions_of(name)))


def permissions_of(role: str) -> Q:
    """Return which permissions a role has of its own: `role_permissions` of each app's config says it."""
    found = Q(pk__in=())
    for config in apps.get_app_configs():
        declared: dict[str, Q] = getattr(config, "role_permissions", {})
        if role in declared:
            found |= Q(content_type__app_label=config.label) & declared[role]
        if role == "admin":
            found |= Q(content_type__app_label__in=getattr(config, "keeps_accounts", ()))
    return found


def has_role(user: User | AnonymousUser) -> bool:
    """Whether the person may see the platform at all: an account that nobody gave a role may not."""
    return user.is_active and user.has_perm(SEE)


may_launch = permission_required("audits.add_run", raise_exception=True)
viewers_only = permission_required(SEE, raise_exception=True)
"""For the desk's views: 403 for an account without a role. The stranger was sent to the login before."""
