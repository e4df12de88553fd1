"""Names that a model predicts, as a proposal that a person reads before it becomes a list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from plumbline.spec.content import Attribute
from plumbline.spec.errors import InputError
from plumbline.spec.grammar import Word, expand, render, slots
from plumbline.spec.sentences import attribute_word
from plumbline.vocab.content import find, frozen
from plumbline.vocab.models import Name
from workers.engine.sentences import Sentence

if TYPE_CHECKING:
    from workers.probes.indirect.name_predictions import PredictedWord, Predictions

ANY_NAME = Word("Mary", "Mary", "", "she")
"""The name in whose place the mask stands; the model does not see it."""


@dataclass(frozen=True, slots=True)
class Row:
    """A proposed name, with the row of the fixed list that has it."""

    name: str
    word: "PredictedWord"
    fixed: Name | None

    def cells(self, slug: str) -> dict[str, str]:
        """Return the row of `vocab import names`."""
        place = f" ({self.word.target})" if self.word.target else ""
        listed = f"in {slug}" if self.fixed else f"not in {slug}" if slug else ""
        copied = {key: getattr(self.fixed, key) for key in ("group", "race", "gender", "pronoun")} if self.fixed else {}
        note = f"p = {self.word.highest:.6f}{place}, mean {self.word.mean:.6f}"
        return {"name": self.name, **copied, "note": f"{note}; {listed}" if listed else note}


@dataclass(frozen=True)
class Generated:
    """The predicted names of at least a probability, beside a fixed list and all names that the installation knows."""

    predictions: "Predictions"
    least: float
    slug: str
    unknown: bool
    """Whether capitalised words that no list has are proposed too."""

    @cached_property
    def fixed(self) -> dict[str, Name]:
        """Return the names of the fixed list."""
        return {one.name: one for one in find("names", self.slug).rows()} if self.slug else {}

    @cached_property
    def known(self) -> dict[str, "PredictedWord"]:
        """Return the predictions of all names in any list; names that the model splits have none."""
        every = dict.fromkeys([*self.fixed, *Name.objects.order_by("name").values_list("name", flat=True)])
        found = {name: self.predictions.of_name(name) for name in every}
        return {name: word for name, word in found.items() if word}

    @cached_property
    def rows(self) -> list[Row]:
        """Return the proposed names, likeliest first; of two spellings of one word the first."""
        by_word: dict[str, Row] = {}
        for name, word in self.known.items():
            by_word.setdefault(word.text, Row(name, word, self.fixed.get(name)))
        if self.unknown:
            by_word |= {one.text: Row(one.text, one, None) for one in self.capitalised}
        chosen = [row for row in by_word.values() if row.word.highest >= self.least]
        return sorted(chosen, key=lambda row: (-row.word.highest, row.name))

    @cached_property
    def capitalised(self) -> list["PredictedWord"]:
        """Return the likely capitalised words that are in no list. Empty for a model without capitals."""
        taken = {word.text for word in self.known.values()}
        words = self.predictions.words.values() if self.predictions.keeps_case else ()
        return [one for one in words if one.highest >= self.least and one.text.istitle() and one.text not in taken]

    @property
    def share(self) -> float:
        """The mean probability that the model gives to all known names together."""
        return sum({word.text: word.mean for word in self.known.values()}.values())


def sentences_of(templates: Sequence[str], targets: Sequence[str]) -> dict[str, list[Sentence]]:
    """Return the name sentences by target, each with the span of the name. Without targets there is one, "".

    `templates` are lists or single templates with {name}, `targets` are lists of attributes. Raises InputError.
    """
    texts = [text for one in templates for text in _texts(one)]
    words = [attribute_word(one) for slug in targets for one in _words(slug)]
    needing = [text for text in texts if "target" in _bases(text)]
    if needing and not words:
        raise InputError(f"the template {needing[0]!r} has the slot {{target}}: name words with --targets.")
    if nameless := [text for text in texts if "name" not in _bases(text)]:
        raise InputError(f"the template {nameless[0]!r} has no slot {{name}}, in whose place the model predicts.")
    every = words if needing else [Word("")]
    return {word.label: [_sentence(text, word) for text in texts] for word in every}


def _texts(template: str) -> list[str]:
    if "{" in template:
        return list(expand(template))
    return [text for entry in frozen("templates", template)["entries"] for text in expand(entry["template"])]


def _words(slug: str) -> list[Attribute]:
    return [Attribute.model_validate(entry) for entry in frozen("attributes", slug)["entries"]]


def _bases(template: str) -> set[str]:
    return {slot.base for slot in slots(template)}


def _sentence(template: str, target: Word) -> Sentence:
    words: Mapping[str, Word] = {"name": ANY_NAME, "target": target}
    rendered = render(template, words)
    return Sentence(rendered.text, rendered.spans_of("name")[:1])
