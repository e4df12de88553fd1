"""How a right answer is divided into words that can be masked, and how a model's tokens replace them.

An et al. 2023, Algorithm 1, leaves open what a token x(i) is. The authors' code uses words, not the model's subwords,
with one mask per word. This module does the same, for any masked model.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from plumbline.methods.sodapop.sizes import WORD
from workers.probes.sodapop.generating_treebank import released_words

Words = tuple[str, ...]
Options = list[tuple[str, float]]
"""The model's options for a mask, likeliest first, with their log probabilities."""

_UNREADABLE = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Start:
    """A right answer in words, and the text before it: the context and the question as an open sentence."""

    before: str
    words: Words
    glued: tuple[bool, ...]
    """Whether a word follows the one before it without a space, such as a comma or the 's of "that's"."""

    def text(self, words: Words) -> str:
        """Return the words as a text.

        Only words of the right answer, in their own place, lack the space before them.
        """
        pairs = zip(words, self.words, self.glued, strict=False)
        parts = [word if glued and word == own else f" {word}" for word, own, glued in pairs]
        return "".join([*parts, *(f" {word}" for word in words[len(parts) :])]).strip()

    def with_mask(self, words: Words, position: int, mask: str) -> str:
        """Return the whole input for a model; the answer is its last part."""
        return f"{self.before} {self.text((*words[:position], mask, *words[position + 1 :]))}"


class Writing(Protocol):
    """A variant of how answers are divided into words, and of what replaces a mask."""

    def start(self, before: str, answer: str) -> Start: ...

    def options(self, tokens: Sequence[int], log_p: Sequence[float]) -> Options:
        """Return replacement texts from a model's likeliest tokens."""

    def put(self, start: Start, words: Words, position: int, text: str) -> Words: ...


class PaperWriting:
    """The variant that reads Algorithm 1 literally: x(i) becomes t, for each of the top M tokens.

    A token becomes a word of its own, without the mark of a leading space or of a continued word, so "##ful" is "ful".
    Tokens that are special, or not one readable word, make no distractor.
    """

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer
        self.special = set(tokenizer.all_special_ids)
        self.word = cache(self._word)

    def start(self, before: str, answer: str) -> Start:
        found = list(WORD.finditer(answer))
        glued = (one.start() > 0 and not answer[one.start() - 1].isspace() for one in found)
        return Start(before, tuple(one.group() for one in found), tuple(glued))

    def options(self, tokens: Sequence[int], log_p: Sequence[float]) -> Options:
        return [(word, gain) for token, gain in zip(tokens, log_p, strict=True) if (word := self.word(token))]

    def put(self, start: Start, words: Words, position: int, text: str) -> Words:
        return (*words[:position], text, *words[position + 1 :])

    def _word(self, token: int) -> str:
        if token in self.special:
            return ""
        text = str(self.tokenizer.decode([token])).strip()
        text = text[2:] if text.startswith("##") and len(text) > 2 else text
        return text if len(text.split()) == 1 and _UNREADABLE not in text else ""


class ReleasedWriting:
    """The variant of the authors' code: the tokens are decoded together and split at spaces.

    Strings may therefore merge, shift or be empty. The n-th string gets the n-th token's log probability, whether or
    not it belongs to that token. After each step the whole text is divided into words again, and as many are kept from
    its end as the answer had before. If a string is empty, it is the last word of the prompt.
    """

    def __init__(self, tokenizer: Any) -> None:
        self.tokenizer = tokenizer

    def start(self, before: str, answer: str) -> Start:
        words = tuple(released_words(answer))
        return Start(before, words, (False,) * len(words))

    def options(self, tokens: Sequence[int], log_p: Sequence[float]) -> Options:
        # There are usually fewer strings than tokens.
        return list(zip(str(self.tokenizer.decode(list(tokens))).split(" "), log_p, strict=False))

    def put(self, start: Start, words: Words, position: int, text: str) -> Words:
        # A piece between spaces is at least one word. One more piece is taken because quotation marks depend on it.
        pieces = start.with_mask(words, position, text).split()[-len(words) - 1 :]
        return tuple(released_words(" ".join(pieces))[-len(words) :])


def writing_of(variant: str, tokenizer: Any) -> Writing:
    return ReleasedWriting(tokenizer) if variant == "released_code" else PaperWriting(tokenizer)
