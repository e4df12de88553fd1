from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q


class FindingsConfig(AppConfig):
    name = "plumbline.findings"
    label = "findings"
    verbose_name = "Findings"
    role_permissions: ClassVar[dict[str, Q]] = {
        "viewer": Q(codename__startswith="view_"),
        "reviewer": Q(codename="judge_finding"),
        "admin": Q(),
    }
    """The permissions on this app's models, by role."""

    def ready(self) -> None:
        """Connect the update of findings with the sweep."""
        from plumbline.findings import signals  # noqa: F401
