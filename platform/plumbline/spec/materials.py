"""The words of a frozen spec that combines groups with attributes in templates."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from plumbline.spec.content import Attribute, Group
from plumbline.spec.grammar import is_plural_label
from plumbline.spec.sentences import Words, attribute_word, group_word


@dataclass(frozen=True)
class Materials:
    """The words of a frozen spec. Items are the cells of templates x groups x attributes."""

    templates: tuple[str, ...]
    groups: tuple[Group, ...]
    attributes: tuple[Attribute, ...]
    categories: tuple[str, ...]
    """For each attribute its list. Empty for inline attributes."""
    kinds: tuple[str, ...] = ()
    """For each template its kind of sentence."""

    def __len__(self) -> int:
        return len(self.templates) * len(self.groups) * len(self.attributes)

    @cached_property
    def first_of_number(self) -> list[int]:
        """For each group the first group of the same number. Both have the same prior sentences."""
        plural = [is_plural_label(group_word(group)) for group in self.groups]
        first = {number: plural.index(number) for number in set(plural)}
        return [first[number] for number in plural]

    def words(self) -> Words:
        """Return the words by label, for sentences."""
        return Words(
            {group.label: group_word(group) for group in self.groups},
            {attribute.text: attribute_word(attribute) for attribute in self.attributes},
            self.templates,
            pairs=frozenset(group.label for group in self.groups if group.components),
            lists={name: tuple(self._listed(name)) for name in dict.fromkeys(self.categories)},
        )

    def _listed(self, name: str) -> Iterator[str]:
        both = zip(self.attributes, self.categories, strict=True)
        return (attribute.text for attribute, category in both if category == name)
