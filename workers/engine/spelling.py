"""The spelling of words by a tokenizer: within a sentence, after a space, and as its first word."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workers.engine.sentences import Encoded, Sentence, encode

AMID, AT_START = ("They met ", " today."), ("", " is here.")
"""The text around the word. Tokenizers look no further than the white space next to a word."""


@dataclass(frozen=True)
class Spelled:
    """The tokens of a word as the tokenizer writes them. `fault` says why the word cannot be scored, or is empty."""

    word: str
    pieces: tuple[str, ...]
    pieces_at_start: tuple[str, ...]
    fault: str


def spell(tokenizer: Any, words: Sequence[str]) -> list[Spelled]:
    """Return the spelling of each word within a sentence and at its start, in the given order."""
    amid, at_start = (_framed(tokenizer, words, *frame) for frame in (AMID, AT_START))
    return [
        Spelled(word, _pieces(tokenizer, inside), _pieces(tokenizer, first), inside.fault or first.fault)
        for word, inside, first in zip(words, amid, at_start, strict=True)
    ]


def _framed(tokenizer: Any, words: Sequence[str], before: str, after: str) -> list[Encoded]:
    start = len(before)
    return encode(tokenizer, [Sentence(before + word + after, ((start, start + len(word)),)) for word in words])


def _pieces(tokenizer: Any, encoded: Encoded) -> tuple[str, ...]:
    return tuple(tokenizer.convert_ids_to_tokens([encoded.ids[index] for index in encoded.slots[0]]))
