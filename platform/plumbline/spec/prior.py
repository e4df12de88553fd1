"""The prior of an association, to which the score is relative. There is no default."""

from typing import Literal, Self

from pydantic import field_validator, model_validator

from plumbline.spec.grammar import Word, is_plural_label
from plumbline.spec.measure import Measure
from plumbline.spec.sources import Strict

OTHER_PRIOR = "prior: "
"""The prefix of the variant of measures under another prior than the spec's."""
WITHOUT = f"{OTHER_PRIOR}none"
MEAN_OVER = f"{OTHER_PRIOR}mean over "


def is_under_other(one: Measure) -> bool:
    """Return whether the measure was computed under another prior than that of the run's spec."""
    return one.variant.startswith(OTHER_PRIOR)


class Prior(Strict):
    """One of three priors.

    `{mask: one}`: one mask replaces the group, whatever its length (the papers' prior, masked models).

    `{singular: person, plural: people}`: a neutral word replaces the group (the prior of the released code).
    `attribute` is the neutral word that replaces the attribute. Causal models need it for templates whose attribute
    comes first (ours).

    `{mean: true}`: the logarithm of the mean probability over the run's groups or attributes (ours, causal models).
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
        """The prior's name in measures."""
        if self.mask or self.mean:
            return "one mask" if self.mask else "mean"
        return ", ".join(word for word in (self.singular, self.plural, self.attribute) if word)

    def neutral(self, group: Word) -> Word:
        """Return the neutral word that replaces this group, in the group's number, so that the sentence agrees.

        For `{mask: one}` it is a placeholder whose tokens are replaced by one mask.
        """
        singular, plural = ("person", "people") if self.mask or self.mean else (self.singular, self.plural)
        label = plural if is_plural_label(group) else singular
        return Word(label or singular or plural, singular, plural, "they")
