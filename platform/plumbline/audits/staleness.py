"""Stale marks: which lists of a run read differently today, and asking again with today's words."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from plumbline.audits.freezing import KIND_OF_FIELD
from plumbline.audits.launching import launch
from plumbline.audits.models import Run
from plumbline.audits.states import Priority
from plumbline.spec.audit import parse
from plumbline.spec.errors import InputError
from plumbline.vocab import content


@dataclass(frozen=True, slots=True)
class StaleList:
    """A list that differs from what the run froze: `edited`, `emptied` or `deleted`."""

    kind: str
    slug: str
    how: str

    def __str__(self) -> str:
        return f"{self.slug} ({self.how})"


def stale_lists(runs: Iterable[Run]) -> dict[int, list[StaleList]]:
    """For each run the lists that it would freeze otherwise today; none for a run that is up to date.

    Each list is read once, however many of the runs rest on it.
    """
    known: dict[tuple[str, str], str] = {}
    found: dict[int, list[StaleList]] = {}
    for run in runs:
        states = {(kind, slug): _state(kind, slug, sha256, known) for kind, slug, sha256 in _frozen_lists(run.spec)}
        found[run.pk] = [StaleList(kind, slug, how) for (kind, slug), how in states.items() if how]
    return found


def _frozen_lists(spec: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Kind, slug and digest of each list, from the spec as stored: an old one may no longer be valid."""
    for field, kind in KIND_OF_FIELD.items():
        for source in spec.get(field) or []:
            if "sha256" in source:
                yield kind, source["list"], source["sha256"]


def _state(kind: str, slug: str, sha256: str, known: dict[tuple[str, str], str]) -> str:
    if (kind, slug) not in known:
        known[kind, slug] = _today(kind, slug)
    today = known[kind, slug]
    return "" if today == sha256 else today if today in ("deleted", "emptied") else "edited"


def _today(kind: str, slug: str) -> str:
    """The list's version, or why it has none."""
    try:
        content.find(kind, slug)
    except InputError:
        return "deleted"
    try:
        return content.version(kind, slug)
    except InputError:
        return "emptied"


def relaunch(run: Run, by: User | None = None, *, owner: str = "") -> Run:
    """The same audit with today's words, of the same plan. What was asked before is copied: only what is new is asked.

    Raises InputError where the spec can no longer be launched.
    """
    return launch(parse(run.spec), owner=owner, plan=run.plan, by=by, reuse=True, priority=Priority.INTERACTIVE)
