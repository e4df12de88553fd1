"""Groups and attributes that two runs ask in other words, so that their items are not the same."""

from collections.abc import Mapping
from dataclasses import dataclass

from plumbline.spec.grammar import Word
from plumbline.spec.materials import Materials
from plumbline.spec.sentences import attribute_word, group_word


@dataclass(frozen=True, slots=True)
class Reworded:
    """Labels of groups and texts of attributes that both runs ask, in another form each."""

    groups: tuple[str, ...]
    attributes: tuple[str, ...]


def reworded(before: Materials, after: Materials) -> Reworded:
    """Return what both materials hold with another singular, plural, pronoun or article, sorted."""
    groups, attributes = (
        [{one.label: group_word(one) for one in words.groups} for words in (before, after)],
        [{one.text: attribute_word(one) for one in words.attributes} for words in (before, after)],
    )
    return Reworded(_changed(*groups), _changed(*attributes))


def _changed(before: Mapping[str, Word], after: Mapping[str, Word]) -> tuple[str, ...]:
    return tuple(sorted(label for label in before.keys() & after.keys() if before[label] != after[label]))
