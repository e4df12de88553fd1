"""Words that appeared or vanished between two runs."""

from dataclasses import dataclass

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.spec.association import AssociationSpec
from plumbline.spec.errors import InputError

PARTS = ("groups", "attributes", "templates")
WORDS_SHOWN = 50
"""The most words of a part that a page names."""


@dataclass(frozen=True, slots=True)
class Change:
    """One part of the materials: the words that only the later run has, and those that only the earlier run has."""

    part: str
    appeared: tuple[str, ...]
    vanished: tuple[str, ...]


def changes(first: Run, second: Run) -> list[Change]:
    """Return the changed parts, sorted. Without a valid spec there are none."""
    try:
        before, after = _words(first), _words(second)
    except InputError:
        return []
    compared = ((part, before[part], after[part]) for part in before.keys() & after.keys())
    found = [Change(part, tuple(sorted(new - old)), tuple(sorted(old - new))) for part, old, new in compared]
    return sorted((one for one in found if one.appeared or one.vanished), key=lambda one: PARTS.index(one.part))


def _words(run: Run) -> dict[str, set[str]]:
    spec, snapshots = frozen_spec(run)
    if not isinstance(spec, AssociationSpec):
        return {}
    words = spec.materials(snapshots)
    return {
        "groups": {group.label for group in words.groups},
        "attributes": {attribute.text for attribute in words.attributes},
        "templates": set(words.templates),
    }
