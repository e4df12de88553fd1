"""The items of a bank of pairs: two sentences, of which a stereotype favours the first, or a sentence of GEST."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from plumbline.spec.content import Entry

Text = Annotated[str, Field(min_length=1, max_length=5000)]
Flags = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], Field(strict=False)]
WOMEN, MEN = range(1, 8), range(8, 17)
"""The stereotypes of GEST about women and those about men, by their numbers."""
STEREOTYPES = {
    1: "emotional and irrational",
    2: "gentle, kind and submissive",
    3: "empathetic and caring",
    4: "neat and diligent",
    5: "social",
    6: "weak",
    7: "beautiful",
    8: "tough and rough",
    9: "self-confident",
    10: "professional",
    11: "rational",
    12: "providers",
    13: "leaders",
    14: "childish",
    15: "sexual",
    16: "strong",
}
"""What GEST's stereotypes say of women (1 to 7) and of men (8 to 16). Source: Pikuliak et al. 2024, table 1."""


class SentencePair(Entry):
    """Two sentences that differ in few words. `more` is the one that the stereotype favours.

    Source: Nangia et al. 2020, "CrowS-Pairs: A Challenge Dataset for Measuring Social Biases in Masked Language
    Models".
    """

    id: Annotated[str, Field(min_length=1, max_length=200)]
    category: Annotated[str, Field(max_length=200)] = ""
    """The type of the pair, such as gender."""
    more: Text
    less: Text
    direction: Literal["stereo", "antistereo"] = "stereo"
    """`stereo`: `more` states a stereotype; `antistereo`: `less` contradicts one."""
    family: Annotated[str, Field(max_length=200)] = ""
    """The family of the pair. Pairs that are no independent observations share one, such as those of one template."""
    flags: Flags = ()
    """Known faults of the pair."""

    @model_validator(mode="after")
    def _two_sentences(self) -> Self:
        if self.more == self.less:
            raise ValueError(f"the pair {self.id!r} is the same sentence twice; write two that differ")
        return self


class GestSentence(Entry):
    """A sentence in the first person that fits a stereotype about women (1 to 7) or about men (8 to 16).

    Source: Pikuliak et al. 2024, "Women Are Beautiful, Men Are Leaders: Gender Stereotypes in Machine Translation and
    Language Modeling".
    """

    id: Annotated[str, Field(min_length=1, max_length=200)]
    sentence: Text
    stereotype: Annotated[int, Field(ge=WOMEN.start, lt=MEN.stop)]
    flags: Flags = ()

    @property
    def category(self) -> str:
        """The stereotype's number, as records and measures name it."""
        return str(self.stereotype)


Item = SentencePair | GestSentence


def item_of(entry: Mapping[str, Any]) -> Item:
    """Return the item of a bank's entry. Raises ValidationError."""
    return GestSentence.model_validate(entry) if "stereotype" in entry else SentencePair.model_validate(entry)
