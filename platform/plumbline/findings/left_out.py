"""Words that have no score, and why."""

from dataclasses import dataclass

from plumbline.spec.numbers import count

WORDS_TOLD = 5


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Words of one kind that share a reason, in order."""

    kind: str
    """`names` or `features`."""
    reason: str
    words: tuple[str, ...]
    of: int
    """The number of words of this kind that the run asked about."""
    unnamed: int = 0
    """The number of further words without a name here."""

    @property
    def count(self) -> int:
        return len(self.words) + self.unnamed


def left_out_sentence(one: LeftOut) -> str:
    """Return `72 of the 779 names have no score (Abbie, Ada and 70 more): split into 2 subwords, ...`."""
    some, more = one.words[:WORDS_TOLD], one.count - WORDS_TOLD
    listed = ", ".join(some) + (f" and {count(more)} more" if more > 0 else "")
    verb, which = "has" if one.count == 1 else "have", f" ({listed})" if some else ""
    return f"{count(one.count)} of the {count(one.of)} {one.kind} {verb} no score{which}: {one.reason}."
