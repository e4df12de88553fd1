"""What was asked, put together again: a template with its words, and which of its text are these words."""

from dataclasses import dataclass

from plumbline.audits.freezing import frozen_spec
from plumbline.audits.models import Run
from plumbline.spec.association import AssociationSpec, Materials, attribute_word, group_word
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

    def sentence(self, template: str, group: str, attribute: str) -> list[Piece]:
        """The sentence in its pieces; the bare template where a word's forms are no longer known."""
        try:
            words = {"group": self.groups[group], "attribute": self.attributes[attribute]}
            return pieces(render(template, words))
        except (KeyError, InputError):
            return [Piece(template)]


def words_of(run: Run) -> Words:
    """The words that a run was launched with; none for a run whose spec can no longer be read."""
    try:
        spec, snapshots = frozen_spec(run)
        found = spec.materials(snapshots) if isinstance(spec, AssociationSpec) else None
    except InputError:
        found = None
    return _by_label(found) if found else Words({}, {}, ())


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
