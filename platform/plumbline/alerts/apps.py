from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q


class AlertsConfig(AppConfig):
    name = "plumbline.alerts"
    label = "alerts"
    verbose_name = "Alerts"
    role_permissions: ClassVar[dict[str, Q]] = {
        "viewer": Q(codename__in=["view_alert", "view_ruleset"]),
        "auditor": Q(codename__endswith="_ruleset"),
        "admin": Q(),
    }
    """The permissions on this app's models, by role. Webhooks send results to other systems: only admins see them."""
    addresses_of_people: ClassVar[dict[str, str]] = {"RuleSet": "notify"}
    """The columns with mail addresses, for people who leave."""

    def ready(self) -> None:
        """Connect with the sweep."""
        from plumbline.alerts import signals  # noqa: F401
