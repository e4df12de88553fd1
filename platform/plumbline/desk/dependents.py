"""Runs that use a curated list or one of its words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from plumbline.audits.freezing import KIND_OF_FIELD, PARTS, stored_lists
from plumbline.audits.models import Run, Snapshot
from plumbline.vocab import content

LATEST = 20
MOST_SEARCHED = 1000
"""The number of latest runs whose lists are searched for a word. Equal versions are read once."""


@dataclass(frozen=True, slots=True)
class DependentRun:
    """A run with the version of the list that it froze. It is stale if the list has changed since."""

    run: Run
    sha256: str
    stale: bool


@dataclass(frozen=True, slots=True)
class DependentRuns:
    """The latest runs and the number of all. `searched` is below `of` if not all were searched for a word."""

    runs: list[DependentRun]
    count: int
    searched: int
    of: int


def dependent_runs(kind: str, slug: str) -> DependentRuns:
    """Return the runs that froze this list. `kind` is as in plumbline.vocab.content."""
    runs = _runs_of(kind, slug)
    found = [(run, sha256) for run in runs[:LATEST] for sha256 in _digests(run.spec, kind, slug)]
    count = runs.count()
    return DependentRuns(_marked(kind, slug, found), count, count, count)


def dependent_runs_of_word(kind: str, slug: str, entry: Any) -> DependentRuns:
    """Return the runs whose frozen version of the list contains this word."""
    runs = _runs_of(kind, slug)
    searched = [(run, sha256) for run in runs[:MOST_SEARCHED] for sha256 in _digests(run.spec, kind, slug)]
    holding = _versions_with(entry, {sha256 for _, sha256 in searched})
    found = [(run, sha256) for run, sha256 in searched if sha256 in holding]
    return DependentRuns(_marked(kind, slug, found[:LATEST]), len(found), len(searched), runs.count())


def _runs_of(kind: str, slug: str) -> QuerySet[Run]:
    named = Q(pk__in=[])
    for field in _fields(kind):
        lists = {field: [{"list": slug}]}
        for holding in (lists, *({part: [lists]} for part in PARTS)):
            named |= Q(spec__contains=holding)
    return (
        Run.objects.top_level()
        .filter(named)
        .only("name", "probe", "model", "state", "spec", "created_at")
        .order_by("-pk")
    )


def _fields(kind: str) -> Iterator[str]:
    return (field for field, of_kind in KIND_OF_FIELD.items() if of_kind == kind)


def _digests(spec: dict[str, Any], kind: str, slug: str) -> Iterator[str]:
    """Yield the digest of the list for each field of the spec that names it."""
    found = [(field, one["sha256"]) for field, one in stored_lists(spec) if one["list"] == slug]
    for field in _fields(kind):
        yield from {sha256 for own, sha256 in found if own == field}


def _versions_with(entry: Any, versions: set[str]) -> set[str]:
    """Return the snapshots that contain a word of this entry, by the first field that it freezes."""
    holding = Q(pk__in=[])
    for frozen in entry.contents():
        word = next(iter(frozen))
        holding |= Q(content__contains={"entries": [{word: frozen[word]}]})
    return set(Snapshot.objects.filter(holding, pk__in=versions).values_list("pk", flat=True))


def _marked(kind: str, slug: str, found: list[tuple[Run, str]]) -> list[DependentRun]:
    today = content.versions(kind, [slug]).get(slug)
    return [DependentRun(run, sha256, sha256 != today) for run, sha256 in found]
