"""Roles: groups with permissions, which each migrate rewrites from the declarations of the apps."""

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from django.apps import apps
from django.contrib.auth.decorators import user_passes_test
from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http.response import HttpResponseBase

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
PERMISSIONS = "django.contrib.auth.backends.ModelBackend"
VIEWER = "viewer"
SEE = "audits.view_run"
PURPOSES = {
    VIEWER: "sees everything, uses SQL, keeps own queries and prior beliefs",
    "reviewer": "a viewer who annotates, judges findings, comments and signs off",
    "curator": "a viewer who edits the words, templates and banks",
    "auditor": "a viewer who plans, launches and schedules audits, and creates tasks for annotators",
    "admin": "does what all others do, and keeps accounts, roles and others' saved queries",
}
"""What each role may do."""
ROLES = tuple(PURPOSES)


def purpose_of(role: str) -> str:
    """Return a role with what it may do; for a role that somebody added, its name alone."""
    return f"{role}: {PURPOSES[role]}" if role in PURPOSES else role


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


def needs_permission(*permissions: str) -> Callable[[View], View]:
    """Return a decorator of views: 403 for accounts without all of these, and the page of the 403 names their roles."""

    def has_them(user: Any) -> bool:
        if not user.has_perms(permissions):
            raise PermissionDenied(" ".join(permissions))
        return True

    return user_passes_test(has_them)


def roles_with(permissions: Iterable[str]) -> list[str]:
    """Return the roles that have all of these permissions, each written as "app.codename"."""
    found = Group.objects.filter(name__in=ROLES)
    for label, codename in (one.split(".") for one in permissions):
        found = found.filter(permissions__content_type__app_label=label, permissions__codename=codename)
    return sorted(found.values_list("name", flat=True), key=ROLES.index)


def keepers_of_accounts() -> QuerySet[User]:
    """Return the people who can change the roles of accounts, by name."""
    found: QuerySet[User] = User.objects.with_perm("auth.change_user", backend=PERMISSIONS)
    return found.order_by("username")


may_launch = needs_permission("audits.add_run")
viewers_only = needs_permission(SEE)
"""A decorator of the desk's views: 403 for accounts without a role. Strangers were sent to the login before."""
