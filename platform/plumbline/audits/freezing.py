"""Freezing: the lists that a spec names become snapshots, and the spec stores their digests."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from plumbline.audits.models import Run, Snapshot
from plumbline.spec.association import AssociationSpec
from plumbline.spec.audit import AuditSpec, parse
from plumbline.spec.content import Group
from plumbline.spec.digests import digest
from plumbline.spec.errors import InputError
from plumbline.spec.sources import groups_of
from plumbline.vocab import content

KIND_OF_FIELD = {
    "groups": "groups",
    "attributes": "attributes",
    "attributes_a": "attributes",
    "attributes_b": "attributes",
    "targets_x": "attributes",
    "targets_y": "attributes",
    "templates": "templates",
    "human": "ratings",
    "bank": "banks",
    "few_shot_bank": "banks",
    "names": "names",
    "definitional": "attributes",
    "fragments": "attributes",
    "contexts": "banks",
    "answers": "banks",
    "targets": "attributes",
    "features": "attributes",
    "bridge": "names",
    "target_bridge": "templates",
    "bridge_feature": "templates",
    "target_feature": "templates",
    "self_debias": "templates",
}
PARTS = ("sensitive",)
"""Keys of a spec whose values are parts with such fields."""


def freeze(spec: AuditSpec) -> tuple[AuditSpec, dict[str, dict[str, Any]]]:
    """Return the spec with the digest of each curated list, and the content of the lists by digest.

    Raises InputError for an unknown or empty list, and for errors in words and templates.
    """
    pinned, snapshots = pin(spec)
    pinned.check(snapshots)
    return pinned, snapshots


def pin(spec: AuditSpec) -> tuple[AuditSpec, dict[str, dict[str, Any]]]:
    """Return the same as `freeze`, with words and templates unchecked.

    Raises InputError for an unknown or empty list.
    """
    snapshots: dict[str, dict[str, Any]] = {}
    pinned = spec.with_sources(lambda field, source: _pin(source, KIND_OF_FIELD[field], snapshots))
    return pinned, snapshots


def _pin(source: Any, kind: str, snapshots: dict[str, dict[str, Any]]) -> Any:
    if source.slug is None:
        return source
    words = source.chosen(content.frozen(kind, source.slug))
    sha256 = digest(words)
    snapshots[sha256] = words
    return source.model_copy(update={"sha256": sha256})


def stored_lists(spec: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield field and source of each curated list of a stored spec. An old spec may no longer be valid."""
    for part in (spec, *(part for key in PARTS for part in spec.get(key) or ())):
        for field in KIND_OF_FIELD:
            yield from ((field, source) for source in part.get(field) or () if "sha256" in source)


def frozen_spec(run: Run, fields: Collection[str] = ()) -> tuple[AuditSpec, Mapping[str, Mapping[str, Any]]]:
    """Return the spec of a run and the content of its snapshots by digest: all, or those of the lists of `fields`."""
    spec = parse(run.spec)
    lists = [sources for field, sources in spec.sources().items() if not fields or field in fields]
    needed = {source.sha256 for sources in lists for source in sources if source.sha256}
    found = dict(Snapshot.objects.filter(pk__in=needed).values_list("sha256", "content"))
    return spec, found


def frozen_groups(run: Run) -> tuple[AssociationSpec, list[Group]] | None:
    """Return the spec of a run and its social groups, without reading its other lists, which may be large.

    None for a method that scores no groups, and for an old spec that is no longer valid.
    """
    try:
        spec = parse(run.spec)
        if not isinstance(spec, AssociationSpec):
            return None
        needed = [source.sha256 for source in spec.groups if source.sha256]
        found = dict(Snapshot.objects.filter(pk__in=needed).values_list("sha256", "content"))
        return spec, groups_of(spec.groups, found)
    except InputError:
        return None
