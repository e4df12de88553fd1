"""The kinds of questions to workers."""

from typing import Any

from django.db.models import QuerySet, Value

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
from plumbline.audits.states import WorkState

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


def of_open_kinds() -> list[QuerySet[Any]]:
    """Return the questions of each kind that has open ones, oldest first, with their related rows. One query.

    Idle workers and the scheduler ask this every few seconds, and mostly there is none.
    """
    first, *others = (
        kind._default_manager.filter(state=WorkState.READY).order_by().values_list(Value(number))[:1]
        for number, kind in enumerate(KINDS)
    )
    is_open = {number for (number,) in first.union(*others, all=True)}
    return [
        kind._default_manager.select_related(*about).order_by("pk")
        for number, (kind, about) in enumerate(KINDS.items())
        if number in is_open
    ]
