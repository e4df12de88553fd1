"""What was asked, put together again: a template with its words, and which of its text are these words."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.methods.ceat.spec import CeatSpec
from plumbline.methods.weat.spec import WeatSpec
from plumbline.spec.association import AssociationSpec
from plumbline.spec.errors import InputError
from plumbline.spec.grammar import Rendered, Word, render
from plumbline.spec.materials import Materials, attribute_word, group_word
from plumbline.spec.word_sets import WordSets


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


def words_of(run: Run) -> Words:
    """The words that a run was launched with; none for a run whose spec can no longer be read."""
    try:
        spec, snapshots = frozen_spec(run)
        if isinstance(spec, AssociationSpec):
            return _by_label(spec.materials(snapshots))
        if isinstance(spec, WeatSpec):
            return _of_sets(spec.words(snapshots), spec.texts(snapshots))
        if isinstance(spec, CeatSpec):
            return _of_ceat(spec, snapshots)
    except InputError:
        pass
    return Words({}, {}, ())


def _of_sets(words: WordSets, templates: tuple[str, ...]) -> Words:
    targets, attributes = ({one.text: attribute_word(one) for one in own} for own in (words.targets, words.attributes))
    return Words(targets, attributes, templates, slot="target")


def _of_ceat(spec: CeatSpec, snapshots: Mapping[str, Mapping[str, Any]]) -> Words:
    """Its sentences are the corpus's own: there is no template."""
    if (sets := spec.sets(snapshots)) is not None:
        return _of_sets(sets, ())
    groups, attributes = spec.of_groups(snapshots)
    poles = {one.name: (attributes[one.left].text, attributes[one.right].text) for one in spec.pairs(snapshots)}
    named = {group.label: group_word(group) for group in groups}
    return Words(named, {one.text: attribute_word(one) for one in attributes}, (), poles=poles)


def _by_label(materials: Materials) -> Words:
    return Words(
        {group.label: group_word(group) for group in materials.groups},
        {attribute.text: attribute_word(attribute) for attribute in materials.attributes},
        materials.templates,
    )


def pieces(sentence: Rendered) -> list[Piece]:
    """The sentence cut at its slots, left to right."""
    found, end = [], 0
    for slot, start, stop in sentence.spans:
        found += [Piece(sentence.text[end:start]), Piece(sentence.text[start:stop], slot)]
        end = stop
    return [piece for piece in [*found, Piece(sentence.text[end:])] if piece.text]
