"""Groups and attributes that two runs ask in other words, so that their items are not the same."""

from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.spec.grammar import Word
from plumbline.spec.sentences import Words


@dataclass(frozen=True, slots=True)
class Reworded:
    """Labels of groups and texts of attributes that both runs ask, in another form each."""

    groups: tuple[str, ...]
    attributes: tuple[str, ...]


def reworded(before: Words, after: Words) -> Reworded:
    """Return what both runs ask with another singular, plural, pronoun or article, sorted."""
    return Reworded(_changed(before.groups, after.groups), _changed(before.attributes, after.attributes))


def _changed(before: Mapping[str, Word], after: Mapping[str, Word]) -> tuple[str, ...]:
    return tuple(sorted(label for label in before.keys() & after.keys() if before[label] != after[label]))
