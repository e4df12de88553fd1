from typing import ClassVar

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.db.models import Q
from django.db.models.signals import post_migrate


class SiteConfig(AdminConfig):
    default_site = "plumbline.desk.site.Site"

    def ready(self) -> None:
        from plumbline.desk.admin_widgets import keep_to_keys

        super().ready()
        keep_to_keys()


TASKS = (
    *("add_annotationtask", "delete_annotationtask"),
    *("add_survey", "change_survey", "delete_survey", "add_surveywording"),
    *("add_study", "change_study", "delete_study"),
)
OTHERS_OWN = ("change_savedquery", "delete_savedquery", "change_priorbelief", "delete_priorbelief")


class DeskConfig(AppConfig):
    """The desk, with the label `review` that its tables, permissions and migrations were created with."""

    name = "plumbline.desk"
    label = "review"
    verbose_name = "Review desk"
    role_permissions: ClassVar[dict[str, Q]] = {
        "viewer": Q(codename__startswith="view_")
        | Q(codename__in=["add_savedquery", "add_priorbelief", "add_sitting"]),
        # Owners may change their own rows without a permission.
        "reviewer": ~Q(codename__in=[*OTHERS_OWN, *TASKS]),
        "auditor": Q(codename__in=TASKS),
        "admin": Q(),
    }
    """The permissions on this app's models, by role."""
    goes_with_people: ClassVar[dict[str, str]] = {"AskedQuery": "person", "GuideDismissal": "person"}
    """What is deleted with a person who leaves: the list of queries that nobody else sees, and who closed the guide."""
    keeps_accounts = ("auth", "axes")
    """Third-party apps whose models the role admin may change."""

    def ready(self) -> None:
        from plumbline.annotation import task_retention
        from plumbline.audits.keeping import DATED_KEEPERS
        from plumbline.pages.roles import write_roles

        DATED_KEEPERS.append(task_retention.kept_because)
        # This is the last of our apps, so all permissions exist by now.
        post_migrate.connect(write_roles, sender=self)
