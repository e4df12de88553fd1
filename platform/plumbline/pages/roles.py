"""Roles: groups with permissions, which each migrate rewrites from the declarations of the apps.

viewer: sees everything, uses SQL, keeps own queries and prior beliefs. reviewer: a viewer who annotates, comments and
signs off. curator: a viewer who edits vocabularies. auditor: a viewer who plans, launches, schedules and creates tasks
for annotators. admin: all of these, plus others' saved queries and accounts.
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
    """Set the permissions of each role to those that the apps declare. Groups with other names stay untouched."""
    for name in ROLES:
        group, _made = Group.objects.get_or_create(name=name)
        group.permissions.set(Permission.objects.filter(permissions_of(VIEWER) | permissions_of(name)))


def permissions_of(role: str) -> Q:
    """Return the condition of a role's own permissions, from `role_permissions` of each app's config."""
    found = Q(pk__in=())
    for config in apps.get_app_configs():
        declared: dict[str, Q] = getattr(config, "role_permissions", {})
        if role in declared:
            found |= Q(content_type__app_label=config.label) & declared[role]
        if role == "admin":
            found |= Q(content_type__app_label__in=getattr(config, "keeps_accounts", ()))
    return found


def has_role(user: User | AnonymousUser) -> bool:
    """Return whether the person may see the platform. An account without a role may not."""
    return user.is_active and user.has_perm(SEE)


may_launch = permission_required("audits.add_run", raise_exception=True)
viewers_only = permission_required(SEE, raise_exception=True)
"""A decorator of the desk's views: 403 for accounts without a role. Strangers were sent to the login before."""
