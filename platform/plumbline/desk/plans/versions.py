"""The earlier versions of a plan, as the database recorded them."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from plumbline.audits.models import Plan
from plumbline.desk.plans.changes import spec_changes
from plumbline.vocab.authors import author_name, names_now
from plumbline.vocab.models.recorded import EVENTS

MOST_VERSIONS = 20


@dataclass(frozen=True, slots=True)
class Version:
    """One saved version of a plan and what changed in it."""

    at: datetime
    who: str
    changes: tuple[str, ...]


def versions(plan: Plan) -> list[Version]:
    """Return the latest versions, newest first, each compared with the one before. Two queries."""
    events = EVENTS[Plan].objects.filter(pgh_obj=plan.pk).select_related("pgh_context").order_by("-pgh_id")
    found = list(events[: MOST_VERSIONS + 1])
    people = names_now(event.pgh_context for event in found)
    beside = [*pairwise(found), *([(found[-1], None)] if 0 < len(found) <= MOST_VERSIONS else [])]
    return [
        Version(new.pgh_created_at, author_name(new.pgh_context, people), tuple(_changes(old, new)))
        for new, old in beside
    ]


def _changes(old: Plan | None, new: Plan) -> list[str]:
    if old is None:
        return ["First version."]
    return [*_of_the_row(old, new), *spec_changes(old.spec, new.spec)]


def _of_the_row(old: Plan, new: Plan) -> Iterator[str]:
    if old.name != new.name:
        yield f"Name: changed from {old.name} to {new.name}."
    if old.description != new.description:
        yield "The description changed."
    if (old.archived_at is None) != (new.archived_at is None):
        yield "Archived." if new.archived_at else "Brought back from the archive."
