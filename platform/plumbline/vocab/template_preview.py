"""Preview of a template text: its sentences, filled with the first words of lists, and its faults."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.core.exceptions import ValidationError

from plumbline.spec.errors import SpecError
from plumbline.spec.grammar import Rendered, Word, expand, render, require
from plumbline.vocab.models import (
    Attribute,
    AttributeSet,
    Group,
    GroupList,
    Name,
    NameList,
    SentenceTemplate,
    TraitList,
    TraitPair,
)

MOST_SHOWN, SHOWN_OF_EACH = 24, 2
MOST_WORDS = 100
"""The number of words of a list that are tried, small since somebody is typing."""
SLOTS = ("group", "attribute")
"""The slots that each association probe needs exactly once."""


@dataclass(frozen=True, slots=True)
class Words:
    """The first words of three lists, in their order."""

    groups: Sequence[Word] = ()
    attributes: Sequence[Word] = ()
    names: Sequence[Word] = ()

    def of(self, number: int) -> dict[str, Word]:
        """Return the word of that number for each slot. A shorter list begins again; an empty list fills nothing."""
        slots = {
            "group": self.groups,
            "target": self.groups,
            "name": self.names,
            "attribute": self.attributes,
            "feature": self.attributes,
        }
        return {slot: words[number % len(words)] for slot, words in slots.items() if words}


@dataclass(slots=True)
class Filled:
    """A template text with words in it."""

    fault: str = ""
    """The reason why the text is no template. Then all other fields are empty."""
    count: int = 0
    """The number of templates of the text."""
    fits: bool = False
    """Whether it has the slots of the association probes."""
    sentences: list[list[tuple[str, str]]] = field(default_factory=list)
    """The first sentences as pieces: text and the slot that it fills, or ""."""
    warnings: list[str] = field(default_factory=list)
    """Slots that a probe would miss, and words that cannot fill a slot."""


def fill(text: str, words: Words) -> Filled:
    """Return the sentences of a template text as somebody types it."""
    try:
        template = SentenceTemplate._meta.get_field("template").clean(text, None)
    except ValidationError as error:
        return Filled(fault=" ".join(map(str, error.messages)))
    templates = expand(template)
    filled = Filled(count=len(templates), warnings=_slot_faults(templates))
    filled.fits = not filled.warnings
    _render(templates[:MOST_SHOWN], words, filled)
    return filled


def _slot_faults(templates: Iterable[str]) -> list[str]:
    for template in templates:
        try:
            require(template, SLOTS, "an association probe")
        except SpecError as error:
            return [str(error)]
    return []


def _render(templates: Iterable[str], words: Words, filled: Filled) -> None:
    """Return the sentences of the first two templates, after each group or name was tried on each template."""
    rows = max(len(words.groups), len(words.names), 1)
    shown: dict[str, Rendered] = {}
    faults: dict[int, str] = {}
    for template in templates:
        for number in range(rows):
            try:
                sentence = render(template, words.of(number))
            except SpecError as error:
                faults.setdefault(number, str(error))
            else:
                if number < SHOWN_OF_EACH:
                    shown.setdefault(sentence.text, sentence)
    filled.sentences = [_pieces(sentence) for sentence in list(shown.values())[:MOST_SHOWN]]
    if faults:
        several = f" {len(faults)} of the first {rows} words cannot fill it." if len(faults) > 1 else ""
        filled.warnings.append(faults[min(faults)] + several)


def _pieces(sentence: Rendered) -> list[tuple[str, str]]:
    pieces, end = [], 0
    for base, start, stop in sentence.spans:
        pieces += [(sentence.text[end:start], ""), (sentence.text[start:stop], base)]
        end = stop
    return [piece for piece in (*pieces, (sentence.text[end:], "")) if piece[0]]


def words_of(groups: str, attributes: str, names: str) -> Words:
    """Return the first words of the lists of these slugs; none for a slug that names no list."""
    return Words(
        [Word(one.label, one.singular, one.plural, one.pronoun) for one in _first(Group, groups)],
        [Word(one.text, one.text, one.plural, article=one.article) for one in _first(Attribute, attributes)]
        or [Word(text, text) for pair in _first(TraitPair, attributes) for text in pair.words()],
        [Word(one.name, pronoun=one.pronoun) for one in _first(Name, names)],
    )


def _first(model: type[Any], slug: str) -> list[Any]:
    return list(model.objects.filter(word_list__slug=slug).order_by("position", "id")[:MOST_WORDS])


def choices() -> dict[str, list[str]]:
    """Return the slugs of the lists that may fill the slots, without empty lists."""
    models = {"groups": (GroupList,), "attributes": (AttributeSet, TraitList), "names": (NameList,)}
    return {name: [slug for model in kinds for slug in _slugs(model)] for name, kinds in models.items()}


def _slugs(model: type[Any]) -> list[str]:
    return list(model.objects.filter(entries__isnull=False).distinct().order_by("slug").values_list("slug", flat=True))
