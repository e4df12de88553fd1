"""History tables: the database itself records each change of a list or an entry, bulk writes included."""

from typing import Any, TypeVar

import pghistory
import pgtrigger
from django.db import models

Recorded = TypeVar("Recorded", bound=type[models.Model])

EVENTS: dict[type[models.Model], type[Any]] = {}
"""The model of events for each recorded model. An event holds the row as it was created, changed to, or deleted."""

KEPT_BY_PROGRAMS = frozenset(
    {"seeded", "created_at", "modified_at", "next_due_at", "last_due_at", "created_by", "latest"}
)
"""Fields that programs maintain. A change of these alone is no change of the row."""


def recorded(model: Recorded) -> Recorded:
    """Record inserts, updates and deletes of the decorated model as events, which nobody can alter.

    The migration that makes the table of events gives it the trigger `history_stays`, as 0004_authors does.
    """
    kept = [field.name for field in model._meta.fields if field.name in KEPT_BY_PROGRAMS]
    EVENTS[model] = pghistory.create_event_model(
        model,
        pghistory.InsertEvent(),
        pghistory.UpdateEvent(condition=pgtrigger.AnyChange(exclude=kept) if kept else pgtrigger.AnyChange()),
        pghistory.DeleteEvent(),
        obj_field=pghistory.ObjForeignKey(related_name="+"),
        append_only=True,
        abstract=False,
        meta={"default_permissions": ()},
    )
    return model


def called_by(model: type[Any]) -> tuple[str, ...]:
    """Return the fields by which people name a row: `CALLED` of its model, the key of an entry, the slug of a list."""
    key = model.COLUMNS[: model.KEY] if hasattr(model, "KEY") else ("slug",)
    return getattr(model, "CALLED", key)
