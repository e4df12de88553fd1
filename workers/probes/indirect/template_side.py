"""One set of templates with the words of its two slots: the given one and the predicted one."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from itertools import takewhile

from plumbline.methods.indirect.materials import TARGET_FEATURE, IndirectMaterials, kind_of
from plumbline.spec.grammar import Rendered, Word, render
from workers.engine.sentences import Sentence

GIVEN, PREDICTED = 0, 1


@dataclass(frozen=True)
class Side:
    """The queries of one set of templates."""

    name: str
    slots: tuple[str, str]
    """The given slot and the predicted slot."""
    templates: tuple[str, ...]
    given: tuple[Word, ...]
    predicted: tuple[Word, ...]
    already: frozenset[tuple[str, str]] = frozenset()
    """Template and predicted word of sentences that an earlier side has too; they are recorded there."""
    padding: str = ""
    """A text before each sentence."""
    causal: bool = False
    """Whether the text after the predicted word is left out."""

    @classmethod
    def of(cls, name: str, materials: IndirectMaterials, padding: str = "") -> "Side":
        given, predicted = materials.words(name)
        return cls(
            name,
            materials.slots(name),
            materials.templates(name),
            tuple(given),
            tuple(predicted),
            _already(name, materials),
            padding,
            materials.causal,
        )

    def part(self, templates: Collection[str], predicted: Collection[str]) -> "Side":
        """Return the side with only these templates and predicted words, given by label, in its own order."""
        return replace(
            self,
            templates=tuple(text for text in self.templates if text in templates),
            predicted=tuple(word for word in self.predicted if word.label in predicted),
        )

    def rendered(self, template: str, given: Word, predicted: Word) -> Rendered:
        one, other = self.slots
        return render(template, {one: given, other: predicted})

    def sentence(self, template: str, given: Word, predicted: Word) -> Sentence:
        """Return the sentence with the given word's span first, at any place in it."""
        rendered = self.rendered(template, given, predicted)
        before = f"{self.padding} " if self.padding else ""
        spans = [rendered.spans_of(base)[0] for base in self.slots]
        text = rendered.text[: spans[PREDICTED][1]] if self.causal else rendered.text
        return Sentence(before + text, tuple((start + len(before), end + len(before)) for start, end in spans))

    def around(self, template: str, predicted: Word) -> str:
        """Return the text around a predicted word; some words change it (a or an)."""
        rendered = self.rendered(template, self.given[0], predicted)
        start, end = rendered.spans_of(self.slots[PREDICTED])[0]
        return f"{rendered.text[:start]}\x1f{rendered.text[end:]}"

    @property
    def rows(self) -> int:
        """The number of records of one given word."""
        return sum((text, word.label) not in self.already for text in self.templates for word in self.predicted)


def _already(name: str, materials: IndirectMaterials) -> frozenset[tuple[str, str]]:
    """Return template and word of sentences that an earlier set of features shares: such a sentence is one record."""
    if kind_of(name) != TARGET_FEATURE:
        return frozenset()
    before = takewhile(lambda side: side != name, materials.sides)
    return frozenset(
        (template, word.label)
        for side in before
        if kind_of(side) == TARGET_FEATURE
        for template in materials.templates(side)
        for word in materials.words(side)[1]
    )
