"""Passages as tokens, with the slots of their pronoun and names."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plumbline.spec.banks.passages import Passage
from workers.engine.sentences import Encoded, Sentence, encode

TOO_LONG = "longer than"
"""The start of the fault of a passage that exceeds the model's length."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """A passage as tokens, with the slots pronoun, A and B. `cut` says whether text was left out on either side."""

    encoded: Encoded
    cut: bool


def encodings(tokenizer: Any, passages: Sequence[Passage]) -> list[Encoding]:
    """Encode passages; long ones are cut around their spans, to fewer and fewer characters on either side."""
    found = [Encoding(one, cut=False) for one in encode(tokenizer, [_sentence(passage) for passage in passages])]
    margin = max((len(passage.text) for passage in passages), default=0)
    while margin and (long := [row for row, one in enumerate(found) if one.encoded.fault.startswith(TOO_LONG)]):
        margin //= 2
        shorter = encode(tokenizer, [_sentence(passages[row], margin) for row in long])
        for row, one in zip(long, shorter, strict=True):
            found[row] = Encoding(one, cut=True)
    return found


def _sentence(passage: Passage, margin: int | None = None) -> Sentence:
    """Return the passage; with a margin, only that many characters before the first and after the last span.

    Words stay whole.
    """
    spans = [(offset, offset + len(word)) for _, word, offset in passage.marked]
    left, right = 0, len(passage.text)
    if margin is not None:
        first, last = min(start for start, _ in spans), max(end for _, end in spans)
        left = 0 if first <= margin else _after_space(passage.text, first - margin, first)
        right = min(right, last + margin)
        right = right if right == len(passage.text) else max(last, passage.text.rfind(" ", last, right))
    return Sentence(passage.text[left:right], tuple((start - left, end - left) for start, end in spans))


def _after_space(text: str, place: int, last: int) -> int:
    """Return the start of the first word after a place, or `last` if none begins before it."""
    space = text.find(" ", place, last)
    return last if space < 0 else space + 1
