"""The history of a finding: who changed what, and when. The database recorded it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from plumbline.findings.models import Finding, State, Vote
from plumbline.vocab.authors import author_name, names_now
from plumbline.vocab.models.recorded import EVENTS

MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Change:
    at: datetime
    author: str
    what: str


def past_of(finding: Finding) -> list[Change]:
    """Return the latest changes of the finding and of its votes, the latest first."""
    own = list(EVENTS[Finding].objects.filter(pgh_obj=finding.pk).select_related("pgh_context").order_by("pgh_id"))
    votes = list(EVENTS[Vote].objects.filter(finding=finding.pk).select_related("pgh_context").order_by("pgh_id"))
    names = names_now(one.pgh_context for one in (*own, *votes))
    changes = [
        *_changes(own, names),
        *(Change(one.pgh_created_at, author_name(one.pgh_context, names), _voted(one)) for one in votes),
    ]
    return sorted(changes, key=lambda one: one.at, reverse=True)[:MOST_SHOWN]


def _changes(events: list[Any], names: dict[int, str]) -> Iterator[Change]:
    before: Any = None
    for one in events:
        for what in _differences(before, one):
            yield Change(one.pgh_created_at, author_name(one.pgh_context, names), what)
        before = one


def _differences(before: Any, now: Any) -> Iterator[str]:
    if before is None:
        yield f"pinned by {now.pinned_name}" if now.pinned_name else "found"
        return
    if (before.state, before.reason, before.judged_at) != (now.state, now.reason, now.judged_at):
        label = State(now.state).label
        yield f"{label}: {now.reason}" if now.reason else label
    if (before.assignee_id, before.due_on) != (now.assignee_id, now.due_on):
        who = now.assignee.get_username() if now.assignee_id and now.assignee else "nobody"
        yield f"assigned to {who}" + (f", due on {now.due_on:%Y-%m-%d}" if now.due_on else "")


def _voted(event: Any) -> str:
    return f"vote: {State(event.state).label.lower()}"
