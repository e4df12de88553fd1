from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q


class ResultsConfig(AppConfig):
    name = "plumbline.results"
    label = "results"
    verbose_name = "Results"
    role_permissions: ClassVar[dict[str, Q]] = {"viewer": Q(codename__startswith="view_"), "admin": Q()}
    """The permissions on this app's models, by role."""

    def ready(self) -> None:
        from plumbline.results import checks, signals  # noqa: F401 - registers the system checks, connects the signal
