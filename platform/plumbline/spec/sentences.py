"""What was asked, put together again: a template with its words, and which of its text are these words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from plumbline.spec.content import Attribute, Group
from plumbline.spec.errors import InputError
from plumbline.spec.grammar import Rendered, Word, render


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence; `slot` is empty for the template's own text."""

    text: str
    slot: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a run by their labels: groups, attributes, and the templates that bring them together."""

    groups: dict[str, Word]
    attributes: dict[str, Word]
    templates: tuple[str, ...]
    slot: str = "group"
    """What templates call the place of a group: `target` where words stand in it."""
    poles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The attributes at either end of a pair of opposites, by its name."""

    def sentence(self, template: str, group: str, attribute: str) -> list[Piece]:
        """The sentence in its pieces; the bare template where a word's forms are no longer known."""
        try:
            words = {self.slot: self.groups[group], "attribute": self.attributes[attribute]}
            return pieces(render(template, words))
        except (KeyError, InputError):
            return [Piece(template)]


def pieces(sentence: Rendered) -> list[Piece]:
    """The sentence cut at its slots, left to right."""
    found, end = [], 0
    for slot, start, stop in sentence.spans:
        found += [Piece(sentence.text[end:start]), Piece(sentence.text[start:stop], slot)]
        end = stop
    return [piece for piece in [*found, Piece(sentence.text[end:])] if piece.text]


def words_of_sets(targets: Sequence[Attribute], attributes: Sequence[Attribute], templates: Sequence[str]) -> Words:
    """Return the words of a test on sets: targets stand where other methods have groups."""
    stands_for_group, stands_for_attribute = (
        {one.text: attribute_word(one) for one in own} for own in (targets, attributes)
    )
    return Words(stands_for_group, stands_for_attribute, tuple(templates), slot="target")


def group_word(group: Group) -> Word:
    return Word(group.label, group.singular, group.plural, group.pronoun)


def attribute_word(attribute: Attribute) -> Word:
    return Word(attribute.text, attribute.text, attribute.plural, article=attribute.article)
