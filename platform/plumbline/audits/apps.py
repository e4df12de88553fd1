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
    """By role, which permissions on this app's models it gives."""

    def ready(self) -> None:
        """Connect the signals."""
        from plumbline.audits import signals  # noqa: F401
