from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q
from django.db.models.signals import post_migrate


class ReportsConfig(AppConfig):
    name = "plumbline.reports"
    label = "reports"
    verbose_name = "Reports"
    role_permissions: ClassVar[dict[str, Q]] = {
        "viewer": Q(codename__startswith="view_"),
        "admin": Q(codename__startswith="add_") | Q(codename__startswith="change_"),
    }
    """The permissions on this app's models, by role."""

    def ready(self) -> None:
        """Connect with migrations, after which the laws and standards of this release are stored."""
        from plumbline.reports.law.seeding import store_seed

        post_migrate.connect(store_seed, sender=self)
