"""Roles: groups with permissions, written anew by each migrate.

viewer: sees everything, asks with SQL, keeps questions of their own and what they expect of a score. reviewer: a viewer
who annotates, comments and signs off. curator: a viewer who edits vocabularies. auditor: a viewer who plans, launches,
schedules and makes tasks for annotators. admin: all of these, others' saved questions, and people.
"""

from typing import Any

from django.contrib.auth.decorators import permission_required
from django.contrib.auth.models import AnonymousUser, Group, Permission, User
from django.db.models import Q

VIEWER = "viewer"
SEE = "audits.view_run"
TASKS = Q(codename__in=["add_annotationtask", "delete_annotationtask"], content_type__app_label="review")
ROLES: dict[str, Q] = {
    VIEWER: Q(codename__startswith="view_", content_type__app_label__in=["vocab", "audits", "results", "review"])
    | Q(codename__in=["add_savedquery", "add_priorbelief"], content_type__app_label="review"),
    # What is one's own, its owner may change without a permission.
    "reviewer": Q(content_type__app_label="review")
    & ~Q(codename__in=["change_savedquery", "delete_savedquery", "change_priorbelief", "delete_priorbelief"])
    & ~TASKS,
    "curator": Q(content_type__app_label="vocab"),
    "auditor": Q(content_type__app_label="audits") & ~Q(codename__in=["delete_run"]) | TASKS,
    "admin": Q(content_type__app_label__in=["vocab", "audits", "results", "review", "auth", "axes"]),
}


def write_roles(**_: Any) -> None:
    """Make each role's permissions what is written here; groups of other names are somebody's own."""
    for name, own in ROLES.items():
        group, _made = Group.objects.get_or_create(name=name)
        group.permissions.set(Permission.objects.filter(ROLES[VIEWER] | own))


def has_role(user: User | AnonymousUser) -> bool:
    """Whether the person may see the platform at all: an account that nobody gave a role may not."""
    return user.is_active and user.has_perm(SEE)


may_launch = permission_required("audits.add_run", raise_exception=True)
viewers_only = permission_required(SEE, raise_exception=True)
"""For the desk's views: 403 for an account without a role. The stranger was sent to the login before."""
