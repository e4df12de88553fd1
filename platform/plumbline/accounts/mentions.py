"""Texts of the platform's tables that mention a name: what people wrote, which no program may rewrite."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.apps import apps
from django.db import models
from django.db.models.functions import Cast

LEFT_OUT = frozenset({"audits.Snapshot", "vocab.BankItem"})
"""Words and questions that audits ask with. They are many, and name nobody of the installation."""
TEXTS = (models.CharField, models.TextField, models.JSONField)


@dataclass(frozen=True, slots=True)
class Mention:
    """A column and the number of its rows that mention a name as a word."""

    table: str
    column: str
    rows: int


def mentions_of(names: Collection[str]) -> list[Mention]:
    """Return the columns that mention one of the names, whatever its capitals."""
    if not names:
        return []
    pattern = "|".join(re.escape(one) for one in sorted(names))
    found = (Mention(name, field, _count(model, field, pattern)) for model, name, field in _columns())
    return [one for one in found if one.rows]


def _columns() -> Iterator[tuple[type[models.Model], str, str]]:
    for model in apps.get_models():
        if not model.__module__.startswith("plumbline.") or not model._meta.managed or model._meta.label in LEFT_OUT:
            continue
        for field in model._meta.concrete_fields:
            if isinstance(field, TEXTS):
                yield model, str(model._meta.verbose_name_plural), field.name


def _count(model: type[models.Model], field: str, pattern: str) -> int:
    rows = model._default_manager.annotate(as_text=Cast(field, models.TextField()))
    return int(rows.filter(as_text__iregex=rf"(^|\W)({pattern})(\W|$)").count())
