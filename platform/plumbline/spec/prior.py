"""The prior of an association: what the score is relative to. There is no silent default."""

from typing import Literal, Self

from pydantic import field_validator, model_validator

from plumbline.spec.grammar import Word, is_plural_label
from plumbline.spec.measure import Measure
from plumbline.spec.sources import Strict

OTHER_PRIOR = "prior: "
"""How the variant of a measure begins that is computed under another prior than the spec's."""
WITHOUT = f"{OTHER_PRIOR}none"
MEAN_OVER = f"{OTHER_PRIOR}mean over "


def is_under_other(one: Measure) -> bool:
    """Whether it was computed under another prior than that of the run's spec."""
    return one.variant.startswith(OTHER_PRIOR)


class Prior(Strict):
    """Exactly one of three.

    `{mask: one}`: one mask in the group's place, however long the group is (the papers' prior; masked models).
    `{singular: person, plural: people}`: a neutral word there (the released code's); `attribute` is the neutral word
    in the attribute's place, which causal models need for templates whose attribute comes first (ours).
    `{mean: true}`: the logarithm of the mean probability over the run's groups (or attributes) (ours; causal models).
    """

    mask: Literal["one"] | None = None
    singular: str = ""
    plural: str = ""
    attribute: str = ""
    mean: bool = False

    @field_validator("singular", "plural", "attribute")
    @classmethod
    def _stripped(cls, word: str) -> str:
        return word.strip()

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        words = bool(self.singular or self.plural or self.attribute)
        if [self.mask is not None, words, self.mean].count(True) != 1:
            raise ValueError("give one of {mask: one}, {singular: person, plural: people} or {mean: true}")
        return self

    @property
    def label(self) -> str:
        """How measures name it."""
        if self.mask or self.mean:
            return "one mask" if self.mask else "mean"
        return ", ".join(word for word in (self.singular, self.plural, self.attribute) if word)

    def neutral(self, group: Word) -> Word:
        """The neutral word in the place of this group, of its number, so that the sentence agrees in the same way.

        For `{mask: one}` a stand-in, whose tokens one mask replaces.
        """
        singular, plural = ("person", "people") if self.mask or self.mean else (self.singular, self.plural)
        label = plural if is_plural_label(group) else singular
        return Word(label or singular or plural, singular, plural, "they")
