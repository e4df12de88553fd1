"""The admin of audits: models, plans and schedules are editable, runs and their work are read-only."""

from plumbline.audits.admin import (
    added_words,
    agreements,
    comparisons,
    maps,
    models_under_audit,
    paddings,
    plans,
    runs,
    schedules,
    variants,
    word_tests,
    work,
)

__all__ = [
    "added_words",
    "agreements",
    "comparisons",
    "maps",
    "models_under_audit",
    "paddings",
    "plans",
    "runs",
    "schedules",
    "variants",
    "word_tests",
    "work",
]
