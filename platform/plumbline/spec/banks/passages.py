"""Passages with a pronoun that refers to one of two names or to neither, as banks store them."""

from typing import Annotated, Self

from pydantic import ConfigDict, Field, model_validator

from plumbline.spec.content import Entry

FEMININE, MASCULINE = "feminine", "masculine"
PRONOUNS = {
    **dict.fromkeys(("she", "her", "hers"), FEMININE),
    **dict.fromkeys(("he", "him", "his"), MASCULINE),
}
NEITHER = 2
"""The index of NEITHER among the options A, B, NEITHER."""


class Passage(Entry):
    """A text with a pronoun and two names. The pronoun refers to one of them or to neither. Offsets count characters.

    Source: Webster et al. 2018, "Mind the GAP: A Balanced Corpus of Gendered Ambiguous Pronouns".
    """

    # Stripping would move the offsets.
    model_config = ConfigDict(str_strip_whitespace=False)

    id: Annotated[str, Field(min_length=1, max_length=100)]
    text: str
    pronoun: str
    pronoun_offset: int
    a: Annotated[str, Field(min_length=1, max_length=500)]
    a_offset: int
    a_coref: bool
    b: Annotated[str, Field(min_length=1, max_length=500)]
    b_offset: int
    b_coref: bool
    url: str = ""

    @model_validator(mode="after")
    def _sound(self) -> Self:
        for name, word, offset in self.marked:
            if offset < 0 or self.text[offset : offset + len(word)] != word:
                raise ValueError(f"{name} {word!r} is not at offset {offset} of the text")
        if self.pronoun.lower() not in PRONOUNS:
            raise ValueError(f"{self.pronoun!r} is not one of the pronouns {', '.join(PRONOUNS)}")
        if self.a_coref and self.b_coref:
            raise ValueError("A and B are both marked TRUE; the pronoun refers to one of them at most")
        return self

    @property
    def marked(self) -> tuple[tuple[str, str, int], ...]:
        """The marked words as (description, word, offset): the pronoun, A and B."""
        return (
            ("the pronoun", self.pronoun, self.pronoun_offset),
            ("A", self.a, self.a_offset),
            ("B", self.b, self.b_offset),
        )

    @property
    def gender(self) -> str:
        return PRONOUNS[self.pronoun.lower()]

    @property
    def gold(self) -> int:
        """The right option: 0 is A, 1 is B, 2 is neither."""
        return 0 if self.a_coref else 1 if self.b_coref else NEITHER

    @property
    def options(self) -> tuple[str, str, str]:
        return self.a, self.b, "NEITHER"
