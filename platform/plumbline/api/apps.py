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
    names_of_people: ClassVar[dict[str, dict[str, str]]] = {"Token": {"made_by": "made_name"}}
    goes_with_people: ClassVar[dict[str, str]] = {"Token": "person"}
    """What is renamed and deleted when a person leaves."""
