"""Models under audit, plans and schedules are edited here; what came of them is looked at."""

from plumbline.audits.admin import (
    added_words,
    comparisons,
    maps,
    models_under_audit,
    paddings,
    plans,
    runs,
    schedules,
    word_tests,
    work,
)

__all__ = [
    "added_words",
    "comparisons",
    "maps",
    "models_under_audit",
    "paddings",
    "plans",
    "runs",
    "schedules",
    "word_tests",
    "work",
]
