from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q


class ApiConfig(AppConfig):
    """The HTTP interface for programs, and its tokens."""

    name = "plumbline.api"
    label = "api"
    verbose_name = "API"
    role_permissions: ClassVar[dict[str, Q]] = {"admin": Q()}
    """The permissions on this app's models, by role. Everybody with a role keeps tokens of their own without one."""
