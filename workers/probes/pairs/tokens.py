"""Sentences as tokens: which are words of the text, and what two sentences share."""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from workers.engine.sentences import length_fault

ALIKE = "the model spells both sentences with the same tokens"


@dataclass(frozen=True, slots=True)
class Tokens:
    """A sentence: its tokens, the places of those that are no special tokens, and the word of each token."""

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


def tokenized(tokenizer: Any, texts: Sequence[str]) -> list[Tokens]:
    """Tokenize all texts in one call, with the special tokens that the tokenizer adds by default."""
    batch = tokenizer(list(texts), return_special_tokens_mask=True, return_attention_mask=False, verbose=False)
    return [
        Tokens(
            tuple(ids),
            tuple(place for place, is_special in enumerate(special) if not is_special),
            tuple(batch.word_ids(number)),
            length_fault(tokenizer, ids),
        )
        for number, (ids, special) in enumerate(zip(batch["input_ids"], batch["special_tokens_mask"], strict=True))
    ]


def fault_of(first: Tokens, second: Tokens) -> str:
    """Return why the pair cannot be scored; empty where it can."""
    return first.fault or second.fault or (ALIKE if first.ids == second.ids else "")


def shared(first: Tokens, second: Tokens) -> tuple[list[int], list[int]]:
    """Return the places of the tokens that both share, in each of them; special tokens are none.

    The longest common blocks, as difflib finds them. Source: Nangia et al. 2020, metric.py, get_span.
    """
    matcher = SequenceMatcher(None, first.ids, second.ids)
    places = [
        (block.a + step, block.b + step)
        for block in matcher.get_matching_blocks()
        for step in range(block.size)
        if block.a + step in first.own and block.b + step in second.own
    ]
    return [one for one, _ in places], [other for _, other in places]
