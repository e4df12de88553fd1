"""The lists and words that a run used: source and origin as frozen at the launch, licence and description of today."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from plumbline.audits.freezing import KIND_OF_FIELD, frozen_spec, stored_lists
from plumbline.audits.models import Run, Snapshot
from plumbline.audits.staleness import stale_lists
from plumbline.spec.errors import InputError
from plumbline.spec.sources import Source, entries_of
from plumbline.vocab import content
from plumbline.vocab.seeding import is_edited


@dataclass(frozen=True, slots=True)
class UsedList:
    """A curated list of a run. `changed` says how it differs today: edited, emptied, deleted, or "" for unchanged."""

    field: str
    slug: str
    title: str
    source: str
    licence: str
    origin: str
    description: str
    sha256: str
    changed: str
    kind: str

    @property
    def edited(self) -> bool:
        """Whether people edited it here since the installation loaded it: its source is not that of all its words."""
        row = _today(self.kind, self.slug)
        return row is not None and is_edited(row)


@dataclass(frozen=True, slots=True)
class Words:
    """One part of a run's words: how many entries, from which lists, and their names, as many as a report prints."""

    field: str
    entries: int
    lists: tuple[str, ...]
    names: tuple[str, ...]
    left_out: int = 0
    """The number of entries of the lists that the run did not ask."""

    @property
    def first(self) -> tuple[str, ...]:
        return self.names[:MOST_NAMED]

    @property
    def more(self) -> int:
        return self.entries - len(self.first)

    @property
    def not_printed(self) -> int:
        return self.entries - len(self.names)


MOST_NAMED, MOST_PRINTED = 12, 500
WRITTEN_IN_SPEC = "the plan itself"
"""Where words come from that are of no list."""
_ABOUT = ("title", "source", "licence", "origin", "description")
_LABELS = ("label", "text", "template", "name", "left")
"""The keys by which an entry is named, first come first served."""


def used_lists(run: Run) -> list[UsedList]:
    """Return each curated list of the run once, with what the list says of itself today."""
    changed = {(one.kind, one.slug): one.how for one in stale_lists([run])[run.pk]}
    found = {}
    for field, source in stored_lists(run.spec or {}):
        key = (KIND_OF_FIELD[field], source["list"])
        row = _today(*key)
        about = {name: str(getattr(row, name, "") or "") for name in _ABOUT} | _frozen(source["sha256"])
        how = changed.get(key, "")
        found[key] = UsedList(
            field, source["list"], **about, sha256=source["sha256"], changed=how, kind=KIND_OF_FIELD[field]
        )
    return list(found.values())


def _today(kind: str, slug: str) -> Any:
    try:
        return content.find(kind, slug)
    except InputError:
        return None


def _frozen(sha256: str) -> dict[str, str]:
    """Return what the launch froze of a list's description. Runs of early releases froze less."""
    keys = {name: f"content__{name}" for name in ("title", "source", "origin")}
    found = Snapshot.objects.filter(pk=sha256).values_list(*keys.values()).first() or ()
    return {name: str(text) for name, text in zip(keys, found, strict=False) if text}


def used_words(run: Run) -> list[Words]:
    """Return the parts of the run's words with their sizes. Without a valid spec there are none."""
    try:
        spec, snapshots = frozen_spec(run)
        return [_words(field, sources, snapshots) for field, sources in spec.sources().items() if sources]
    except InputError:
        return []


def _words(field: str, sources: tuple[Source[Any], ...], snapshots: Mapping[str, Mapping[str, Any]]) -> Words:
    lists = tuple(one.slug or WRITTEN_IN_SPEC for one in sources)
    if KIND_OF_FIELD.get(field) == "banks":
        return Words(field, 0, lists, ())
    entries = [one for source in sources for one in entries_of(source, snapshots)]
    left_out = sum(
        len(snapshots[one.sha256]["entries"]) - len(one.only) for one in sources if one.only is not None and one.sha256
    )
    return Words(field, len(entries), lists, tuple(map(_label, entries[:MOST_PRINTED])), left_out)


def _label(entry: Mapping[str, Any] | str) -> str:
    if isinstance(entry, str):
        return entry
    return next((str(entry[key]) for key in _LABELS if entry.get(key)), "")
