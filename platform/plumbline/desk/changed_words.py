"""Words that appeared, vanished or were put in another form between two runs."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.spec.association import AssociationSpec
from plumbline.spec.errors import InputError
from plumbline.spec.grammar import Word
from plumbline.spec.materials import Materials
from plumbline.spec.rewording import forms_told, in_shared_sentences, reworded

WORDS_SHOWN = 50
"""The most words of a part that a page names."""


@dataclass(frozen=True, slots=True)
class Change:
    """One part of the materials: the words that only the later run has, that only the earlier run has, and that the
    later run asks in another form, with the forms.
    """

    part: str
    appeared: tuple[str, ...]
    vanished: tuple[str, ...]
    reworded: tuple[str, ...] = ()


def changes(first: Run, second: Run) -> list[Change]:
    """Return the changed parts, in order. Without a valid spec there are none."""
    try:
        before, after = _materials(first), _materials(second)
    except InputError:
        return []
    if before is None or after is None:
        return []
    old, new = in_shared_sentences(before.words(), after.words())
    forms = reworded(old, new)
    found = (
        _change("groups", old.groups, new.groups, _told(old.groups, new.groups, forms.groups)),
        _change("attributes", old.attributes, new.attributes, _told(old.attributes, new.attributes, forms.attributes)),
        _change("templates", before.templates, after.templates),
    )
    return [one for one in found if one.appeared or one.vanished or one.reworded]


def _told(before: Mapping[str, Word], after: Mapping[str, Word], labels: Sequence[str]) -> tuple[str, ...]:
    """Return each label with the forms that changed: `women (plural “women” → “ladies”)`."""
    return tuple(f"{label} ({forms_told(before[label], after[label])})" for label in labels)


def _change(part: str, before: Collection[str], after: Collection[str], forms: tuple[str, ...] = ()) -> Change:
    old, new = set(before), set(after)
    return Change(part, tuple(sorted(new - old)), tuple(sorted(old - new)), forms)


def _materials(run: Run) -> Materials | None:
    spec, snapshots = frozen_spec(run)
    return spec.materials(snapshots) if isinstance(spec, AssociationSpec) else None
