"""Sentences of a run, rebuilt from templates and words, with the words marked."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from plumbline.spec.content import Attribute, Group
from plumbline.spec.errors import InputError
from plumbline.spec.grammar import Rendered, Word, forms_read, render, with_forms


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a sentence. `slot` is empty for the template's own text."""

    text: str
    slot: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a run by label: groups, attributes and the templates that combine them."""

    groups: dict[str, Word]
    attributes: dict[str, Word]
    templates: tuple[str, ...]
    slot: str = "group"
    """The templates' slot for the group: `target` if words fill it."""
    poles: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each pair of opposites, by name, its left and right attributes."""
    pairs: frozenset[str] = frozenset()
    """The groups that do not count among the other groups with whose mean a group is compared."""
    lists: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each list of attributes, by name, its attributes. Empty for methods that have one."""

    @property
    def others(self) -> dict[str, Word]:
        """The groups with whose mean each of them is compared, where a run compares no two groups."""
        return {label: word for label, word in sorted(self.groups.items()) if label not in self.pairs}

    def of_list(self, name: str) -> dict[str, Word]:
        """Return the attributes of a list, over which its figures are; of a method without lists, all attributes."""
        return {text: self.attributes[text] for text in sorted(self.lists.get(name, self.attributes))}

    def as_read(self, templates: Collection[str]) -> "Words":
        """Return the words with the forms that these templates read; with all forms without a template."""
        if not templates:
            return self
        groups, attributes = (forms_read(templates, slot) for slot in (self.slot, "attribute"))
        return replace(
            self,
            groups={label: with_forms(word, groups) for label, word in self.groups.items()},
            attributes={text: with_forms(word, attributes) for text, word in self.attributes.items()},
        )

    def sentence(self, template: str, group: str, attribute: str) -> list[Piece]:
        """Return the sentence in pieces, or the bare template if a word's forms are no longer known."""
        try:
            words = {self.slot: self.groups[group], "attribute": self.attributes[attribute]}
            return pieces(render(template, words))
        except (KeyError, InputError):
            return [Piece(template)]


def pieces(sentence: Rendered) -> list[Piece]:
    """Split a sentence at its slots, left to right."""
    found, end = [], 0
    for slot, start, stop in sentence.spans:
        found += [Piece(sentence.text[end:start]), Piece(sentence.text[start:stop], slot)]
        end = stop
    return [piece for piece in [*found, Piece(sentence.text[end:])] if piece.text]


def words_of_sets(targets: Sequence[Attribute], attributes: Sequence[Attribute], templates: Sequence[str]) -> Words:
    """Return the words of a test on word sets, whose targets take the groups' place."""
    stands_for_group, stands_for_attribute = (
        {one.text: attribute_word(one) for one in own} for own in (targets, attributes)
    )
    return Words(stands_for_group, stands_for_attribute, tuple(templates), slot="target")


def group_word(group: Group) -> Word:
    return Word(group.label, group.singular, group.plural, group.pronoun)


def attribute_word(attribute: Attribute) -> Word:
    return Word(attribute.text, attribute.text, attribute.plural, article=attribute.article)
