"""The kinds of questions to workers, for who answers them and for who wakes the workers."""

from typing import Any

from django.db.models import QuerySet

from plumbline.audits.models import (
    ComparisonRequest,
    MapRequest,
    ModelCheck,
    PaddingComparison,
    Question,
    SpellingRequest,
    WordTest,
)

KINDS: dict[type[Question], tuple[str, ...]] = {
    ModelCheck: ("model",),
    MapRequest: ("run",),
    SpellingRequest: ("model",),
    WordTest: (),
    PaddingComparison: ("run",),
    ComparisonRequest: ("first", "second"),
}
"""Each kind with what it is about; checks first, which others wait for, then maps, which take a moment."""


def of_each_kind() -> tuple[QuerySet[Any], ...]:
    """All questions of each kind, the oldest first, with what they are about."""
    return tuple(kind._default_manager.select_related(*about).order_by("pk") for kind, about in KINDS.items())
