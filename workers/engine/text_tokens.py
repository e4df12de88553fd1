"""Whole texts as tokens: which of them are words of the text, and what a causal model reads before the first."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from workers.engine.sentences import length_fault

SEPARATOR = "<|endoftext|>"
"""The token between the texts that models of GPT-2's family have read."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text: its tokens, the places of those that are no special tokens, and the word of each token."""

    ids: tuple[int, ...]
    own: tuple[int, ...]
    words: tuple[int | None, ...]
    fault: str = ""

    def rest_of_word(self, place: int) -> range:
        """Return the places from this one to the end of its word."""
        end = place + 1
        while end < len(self.ids) and self.words[end] is not None and self.words[end] == self.words[place]:
            end += 1
        return range(place, end)


def tokenized(tokenizer: Any, texts: Sequence[str], described: int = 0) -> list[Tokens]:
    """Tokenize all texts in one call, with the special tokens that the tokenizer adds by default.

    A text leaves room for a description of `described` tokens.
    """
    batch = tokenizer(list(texts), return_special_tokens_mask=True, return_attention_mask=False, verbose=False)
    return [
        Tokens(
            tuple(ids),
            tuple(place for place, is_special in enumerate(special) if not is_special),
            tuple(batch.word_ids(number)),
            length_fault(tokenizer, ids, described),
        )
        for number, (ids, special) in enumerate(zip(batch["input_ids"], batch["special_tokens_mask"], strict=True))
    ]


def tokens_before(tokenizer: Any) -> int:
    """Return how many special tokens the tokenizer puts before a text by itself."""
    mask: list[int] = tokenizer("a", return_special_tokens_mask=True)["special_tokens_mask"]
    return mask.index(0)


def start_of(tokenizer: Any) -> tuple[int, ...]:
    """Return the token before a text if the tokenizer does not add one; none if it has none.

    The separator of texts if the vocabulary has it, else the token that begins a text, else the one that ends it.
    Source: McGill-NLP/bias-bench, which starts GPT-2's sentences so.
    """
    if (separator := tokenizer.get_vocab().get(SEPARATOR)) is not None:
        return (separator,)
    found = next((one for one in (tokenizer.bos_token_id, tokenizer.eos_token_id) if one is not None), None)
    return () if found is None else (found,)


def context_of(tokens: Tokens, start: tuple[int, ...]) -> tuple[int, ...]:
    """Return what precedes the first token of the text: the tokenizer's own special tokens, or `start`."""
    return tokens.ids[: tokens.own[0]] or start
