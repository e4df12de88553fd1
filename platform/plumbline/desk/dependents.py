"""Which runs rest on a curated list, or on one of its words."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Q, QuerySet

from plumbline.audits.freezing import KIND_OF_FIELD, PARTS, stored_lists
from plumbline.audits.models import Run, Snapshot
from plumbline.vocab import content

LATEST = 20
MOST_SEARCHED = 1000
"""A word is looked for in the lists of so many runs, the latest ones; equal versions are read once."""


@dataclass(frozen=True, slots=True)
class Resting:
    """A run with the version of the list that it froze; stale when the list reads differently today."""

    run: Run
    sha256: str
    stale: bool


@dataclass(frozen=True, slots=True)
class Rests:
    """The latest runs and how many there are; `searched` is below `of` where not all could be looked at for a word."""

    runs: list[Resting]
    count: int
    searched: int
    of: int


def resting_on(kind: str, slug: str) -> Rests:
    """The runs whose frozen words are of this list. `kind` as in plumbline.vocab.content."""
    runs = _runs_of(kind, slug)
    found = [(run, sha256) for run in runs[:LATEST] for sha256 in _digests(run.spec, kind, slug)]
    count = runs.count()
    return Rests(_marked(kind, slug, found), count, count, count)


def resting_on_word(kind: str, slug: str, entry: Any) -> Rests:
    """Those of them that asked with this word: the list as they froze it has it."""
    runs = _runs_of(kind, slug)
    searched = [(run, sha256) for run in runs[:MOST_SEARCHED] for sha256 in _digests(run.spec, kind, slug)]
    holding = _versions_with(entry, {sha256 for _, sha256 in searched})
    found = [(run, sha256) for run, sha256 in searched if sha256 in holding]
    return Rests(_marked(kind, slug, found[:LATEST]), len(found), len(searched), runs.count())


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
    """One for each field of the spec that names the list."""
    found = [(field, one["sha256"]) for field, one in stored_lists(spec) if one["list"] == slug]
    for field in _fields(kind):
        yield from {sha256 for own, sha256 in found if own == field}


def _versions_with(entry: Any, versions: set[str]) -> set[str]:
    """Those of the snapshots that hold a word of this entry: the first field of what it freezes."""
    holding = Q(pk__in=[])
    for frozen in entry.contents():
        word = next(iter(frozen))
        holding |= Q(content__contains={"entries": [{word: frozen[word]}]})
    return set(Snapshot.objects.filter(holding, pk__in=versions).values_list("pk", flat=True))


def _marked(kind: str, slug: str, found: list[tuple[Run, str]]) -> list[Resting]:
    today = content.versions(kind, [slug]).get(slug)
    return [Resting(run, sha256, sha256 != today) for run, sha256 in found]
