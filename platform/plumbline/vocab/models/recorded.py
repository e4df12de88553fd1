"""History: the database itself records each change of a list or an entry, bulk writes included."""

from typing import Any, TypeVar

import pghistory
import pgtrigger
from django.db import models

Recorded = TypeVar("Recorded", bound=type[models.Model])

EVENTS: dict[type[models.Model], type[Any]] = {}
"""For each recorded model that of its events, which hold the row as it was made, changed to, or deleted."""

BESIDE_THE_WORDS = frozenset({"seeded", "created_at", "modified_at"})
"""Fields of a list that programs keep: to change these alone is no change of the list."""


def recorded(model: Recorded) -> Recorded:
    """Class decorator: inserts, updates and deletes of the model's rows become events, which nobody can alter."""
    beside = [field.name for field in model._meta.local_fields if field.name in BESIDE_THE_WORDS]
    EVENTS[model] = pghistory.create_event_model(
        model,
        pghistory.InsertEvent(),
        pghistory.UpdateEvent(condition=pgtrigger.AnyChange(exclude=beside) if beside else pgtrigger.AnyChange()),
        pghistory.DeleteEvent(),
        obj_field=pghistory.ObjForeignKey(related_name="+"),
        append_only=True,
        abstract=False,
        meta={"default_permissions": ()},
    )
    return model
