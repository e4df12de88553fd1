"""The prior of an association: what the score is relative to. There is no silent default."""

from typing import Literal, Self

from pydantic import model_validator

from plumbline.spec.grammar import Word
from plumbline.spec.sources import Strict


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

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        words = bool(self.singular or self.plural or self.attribute)
        if [self.mask is not None, words, self.mean].count(True) != 1:
            raise ValueError("give one of {mask: one}, {singular: person, plural: people} or {mean: true}")
        return self

    @property
    def group(self) -> Word:
        """The neutral group; for `{mask: one}` a stand-in, whose tokens one mask replaces."""
        if self.mask or self.mean:
            return Word("person", "person", "people", "they")
        return Word(self.singular or self.plural, self.singular, self.plural, "they")
