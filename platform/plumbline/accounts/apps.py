from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q


class AccountsConfig(AppConfig):
    name = "plumbline.accounts"
    label = "accounts"
    verbose_name = "Accounts"
    role_permissions: ClassVar[dict[str, Q]] = {"admin": Q(codename__startswith="view_")}
    """The permissions on this app's models, by role: only admins see who signed in from where."""

    def ready(self) -> None:
        """Connect the signals."""
        from plumbline.accounts import deletions, role_changes, sign_ins  # noqa: F401

        deletions.connect()
