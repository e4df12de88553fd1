from typing import ClassVar

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.db.models import Q
from django.db.models.signals import post_migrate


class SiteConfig(AdminConfig):
    default_site = "plumbline.desk.site.Site"


TASKS = ("add_annotationtask", "delete_annotationtask")
OTHERS_OWN = ("change_savedquery", "delete_savedquery", "change_priorbelief", "delete_priorbelief")


class DeskConfig(AppConfig):
    """The desk keeps the label that its tables, permissions and migrations were made with."""

    name = "plumbline.desk"
    label = "review"
    verbose_name = "Review desk"
    role_permissions: ClassVar[dict[str, Q]] = {
        "viewer": Q(codename__startswith="view_") | Q(codename__in=["add_savedquery", "add_priorbelief"]),
        # What is one's own, its owner may change without a permission.
        "reviewer": ~Q(codename__in=[*OTHERS_OWN, *TASKS]),
        "auditor": Q(codename__in=TASKS),
        "admin": Q(),
    }
    """By role, which permissions on this app's models it gives."""
    keeps_accounts = ("auth", "axes")
    """Apps of others whose models the role admin may change."""

    def ready(self) -> None:
        from plumbline.pages.roles import write_roles

        # The last of our apps: by now every other's permissions are there.
        post_migrate.connect(write_roles, sender=self)
