from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q


class AuditsConfig(AppConfig):
    name = "plumbline.audits"
    label = "audits"
    verbose_name = "Audits"
    role_permissions: ClassVar[dict[str, Q]] = {
        "viewer": Q(codename__startswith="view_"),
        "auditor": ~Q(codename="delete_run"),
        "admin": Q(),
    }
    """The permissions on this app's models, by role."""
    addresses_of_people: ClassVar[dict[str, str]] = {"Schedule": "notify", "Notice": "recipients"}
    sentences_about_people: ClassVar[dict[str, tuple[str, str]]] = {"Run": ("error", "cancelled by ")}
    """What names people, for people who leave: columns with addresses, and sentences that end with a name."""

    def ready(self) -> None:
        """Connect the signals, and register what keeps runs when all before a date are deleted."""
        from plumbline.audits import comparison_retention, keeping, signals  # noqa: F401
        from plumbline.audits.scheduling import schedule_retention

        keeping.DATED_KEEPERS.extend([schedule_retention.kept_because, comparison_retention.kept_because])
