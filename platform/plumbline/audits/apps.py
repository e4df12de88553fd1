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

    def ready(self) -> None:
        """Connect the signals."""
        from plumbline.audits import signals  # noqa: F401
