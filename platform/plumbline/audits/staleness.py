"""Outdated runs: lists that changed since a run froze them, and launches of the same audit with today's words."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth.models import User

from plumbline.audits.freezing import KIND_OF_FIELD, stored_lists
from plumbline.audits.launching import launch, launch_frozen
from plumbline.audits.models import Run
from plumbline.audits.states import Priority
from plumbline.spec.audit import parse
from plumbline.vocab import content
from plumbline.vocab.models import Bank


@dataclass(frozen=True, slots=True)
class StaleList:
    """A list that differs from the run's snapshot: `edited`, `emptied` or `deleted`."""

    kind: str
    slug: str
    how: str

    def __str__(self) -> str:
        return f"{self.slug} ({self.how})"


def stale_lists(runs: Iterable[Run]) -> dict[int, list[StaleList]]:
    """Return for each run the lists whose current content differs from its snapshots.

    Each list is read once for all runs.
    """
    frozen = [(run, list(_frozen_lists(run.spec))) for run in runs]
    changed = _last_changes({slug for _, lists in frozen for kind, slug, _ in lists if kind == "banks"})
    read = {
        run.pk: [one for one in lists if not _is_untouched(run, one[1], changed if one[0] == "banks" else {})]
        for run, lists in frozen
    }
    today = _versions((kind, slug) for lists in read.values() for kind, slug, _ in lists)
    return {pk: _stale(lists, today) for pk, lists in read.items()}


def _versions(lists: Iterable[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """Return the version of each existing list by kind and slug, "" for a list without entries."""
    slugs: dict[str, set[str]] = defaultdict(set)
    for kind, slug in lists:
        slugs[kind].add(slug)
    return {(kind, slug): of for kind, some in slugs.items() for slug, of in content.versions(kind, some).items()}


def _stale(lists: list[tuple[str, str, str]], today: Mapping[tuple[str, str], str]) -> list[StaleList]:
    states = {(kind, slug): _state(sha256, today.get((kind, slug))) for kind, slug, sha256 in lists}
    return [StaleList(kind, slug, how) for (kind, slug), how in states.items() if how]


def _last_changes(banks: set[str]) -> dict[str, datetime]:
    """Return the time of the last change of each existing bank."""
    return dict(Bank.objects.filter(slug__in=banks).values_list("slug", "modified_at")) if banks else {}


def _is_untouched(run: Run, slug: str, changed: Mapping[str, datetime]) -> bool:
    """Return whether the bank last changed before the launch. A bank's questions are never edited."""
    return slug in changed and changed[slug] <= run.created_at


def _frozen_lists(spec: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield kind, slug and digest of each list of a stored spec."""
    for field, source in stored_lists(spec):
        yield KIND_OF_FIELD[field], source["list"], source["sha256"]


def _state(sha256: str, today: str | None) -> str:
    """Return how a list differs from its snapshot, or "" if it does not. `today` is its current version."""
    if today is None:
        return "deleted"
    return "" if today == sha256 else "edited" if today else "emptied"


def relaunch(run: Run, by: User | None = None, *, owner: str = "") -> Run:
    """Launch the same audit with today's words and the same plan. Known records are copied, only new items are asked.

    Raises InputError if the spec can no longer be launched.
    """
    return launch(parse(run.spec), owner=owner, plan=run.plan, by=by, reuse=True, priority=Priority.INTERACTIVE)


def parse_anew(run: Run, by: User | None = None) -> Run:
    """Launch a run that parses the kept answers of this one with today's parser, and asks nothing.

    It has the words of this run, and belongs to no plan: other numbers of the same answers are no change of the model.
    Raises InputError if the spec can no longer be launched.
    """
    return launch_frozen(parse({**run.spec, "replies_of": run.pk}), run.snapshots.all(), by=by, reuse=False)
