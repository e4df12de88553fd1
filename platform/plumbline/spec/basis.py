"""What a method's score of a group with a word rests on, for pages that hold several methods against each other."""

from dataclasses import dataclass, fields


@dataclass(frozen=True, slots=True)
class Basis:
    """What the score rests on, one phrase for each aspect. Each phrase is the rest of a sentence about the method.

    Where the phrases of two methods differ, their scores may differ for that reason.
    """

    asks: str
    prior: str
    words: str
    groups: str
    is_signed: bool = False
    """Whether zero says that the group and the word have no link. Only then do opposed signs of scores contradict."""
    either_side: bool = False
    """Whether the score takes two words alike, so that the group of another method may be either of them."""
    first_subword_only: bool = False
    """Whether of a word that splits only the first subword is scored."""
    scores: tuple[str, ...] = ()
    """The statistics of one group with one word. Empty: the card's score alone."""


ASPECTS = tuple(one.name for one in fields(Basis) if one.name in {"asks", "prior", "words", "groups"})


def why_they_may_differ(title_a: str, a: Basis, title_b: str, b: Basis) -> list[str]:
    """Return a sentence for each method and each aspect in which the two differ."""
    return [
        f"{title} {getattr(basis, aspect)}."
        for aspect in ASPECTS
        if getattr(a, aspect) != getattr(b, aspect)
        for title, basis in ((title_a, a), (title_b, b))
    ]
