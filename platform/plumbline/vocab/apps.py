from typing import ClassVar

from django.apps import AppConfig
from django.db.models import Q


class VocabConfig(AppConfig):
    name = "plumbline.vocab"
    label = "vocab"
    verbose_name = "Vocabularies"
    role_permissions: ClassVar[dict[str, Q]] = {"viewer": Q(codename__startswith="view_"), "curator": Q(), "admin": Q()}
    """By role, which permissions on this app's models it gives."""
