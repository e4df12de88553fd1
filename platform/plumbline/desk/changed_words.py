"""What two runs asked with: the words that appeared and those that vanished between them."""

from dataclasses import dataclass

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.spec.association import AssociationSpec
from plumbline.spec.errors import InputError

PARTS = ("groups", "attributes", "templates")


@dataclass(frozen=True, slots=True)
class Change:
    """Of one part of the materials: what only the later run has, and what only the earlier one had."""

    part: str
    appeared: tuple[str, ...]
    vanished: tuple[str, ...]


def changes(first: Run, second: Run) -> list[Change]:
    """Part by part, sorted; parts that are the same are left out. None where a spec can no longer be read."""
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
