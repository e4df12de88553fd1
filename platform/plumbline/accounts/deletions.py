"""The entries of deletions: what stands on its own, not the parts that go with it.

The history of words keeps the parts, and the entry of a list stands for its words.
"""

from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group, User
from django.db import models
from django.db.models.signals import post_delete

from plumbline.accounts.log import record
from plumbline.accounts.models import Activity

NAMES = ("name", "title", "slug")
MACHINERY = frozenset({"audits.WorkerProcess", "audits.Spelling"})
"""Rows that processes write and delete all the time, and that nobody decides about."""


def connect() -> None:
    """Record deletions of accounts, roles and the models of the platform that are no part of another."""
    for model in recorded_models():
        post_delete.connect(record_deletion, sender=model, dispatch_uid=f"activity {model._meta.label}")


def recorded_models() -> list[type[models.Model]]:
    """Return the models whose deletions are recorded."""
    own = (model for config in apps.get_app_configs() if _is_ours(config.name) for model in config.get_models())
    return [User, Group, *(model for model in own if _stands_alone(model))]


def record_deletion(sender: type[models.Model], instance: models.Model, **_: Any) -> None:
    """Record the kind, the number and the name of a deleted row; of an account, only its number."""
    if isinstance(instance, User):
        record(Activity.DELETION, f"account {instance.pk}", account=instance.pk)
        return
    name = next((str(getattr(instance, field)) for field in NAMES if getattr(instance, field, "")), "")
    record(Activity.DELETION, f"{sender._meta.verbose_name} {instance.pk}" + (f": {name}" if name else ""))


def _is_ours(app: str) -> bool:
    return app.startswith("plumbline.")


def _stands_alone(model: type[models.Model]) -> bool:
    """Return whether people may delete the rows and no row of another model takes them along."""
    meta = model._meta
    if not meta.managed or meta.proxy or "delete" not in meta.default_permissions or meta.label in MACHINERY:
        return False
    return not any(_is_part(field) for field in meta.get_fields() if isinstance(field, models.ForeignKey))


def _is_part(field: Any) -> bool:
    return field.remote_field.on_delete is models.CASCADE and field.remote_field.model is not User
