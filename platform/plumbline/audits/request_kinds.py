"""The kinds of questions to workers."""

from typing import Any

from django.db.models import QuerySet

from plumbline.audits.models import (
    ComparisonRequest,
    MapRequest,
    MethodAgreement,
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
    MethodAgreement: (),
    PaddingComparison: ("run",),
    ComparisonRequest: ("first", "second"),
}
"""Each kind with its related fields. Checks come first, since others wait for them. Maps are quick and come next."""


def of_each_kind() -> tuple[QuerySet[Any], ...]:
    """Return the questions of each kind, oldest first, with their related rows."""
    return tuple(kind._default_manager.select_related(*about).order_by("pk") for kind, about in KINDS.items())
