"""Words in sentences: which tokens spell the word in a slot.

text      All  women  are  powerless .        spans of the slots: (4, 9) and (14, 23)
tokens    All Ġwomen Ġare Ġpower less .       ranges of the slots: 1..2 and 3..5
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as changed
from typing import Any

# A tokenizer without a limit states an absurdly large one.
UNLIMITED = 10**9
_SPACE_MARKS = ("Ġ", "▁")
UNKNOWN = "spelled with the unknown token"
"""The fault of a word that the tokenizer cannot spell."""


@dataclass(frozen=True)
class Sentence:
    """A sentence with the character span of each slot's filler."""

    text: str
    spans: tuple[tuple[int, int], ...]

    def __post_init__(self) -> None:
        for start, end in self.spans:
            if not 0 <= start <= end <= len(self.text):
                raise ValueError(f"a span of {self.spans} lies outside the text {self.text!r}")


@dataclass(frozen=True)
class Encoded:
    """A sentence as tokens, with the token range of each slot. `fault` says why it cannot be scored, or is empty."""

    ids: tuple[int, ...]
    slots: tuple[range, ...]
    fault: str = ""


def encode(
    tokenizer: Any, sentences: Sequence[Sentence], special_tokens: bool = True, described: int = 0
) -> list[Encoded]:
    """Tokenize all sentences in one call, with the special tokens that the tokenizer adds by default.

    A slot's tokens are those that overlap its span, so a leading space belongs to the word. A sentence leaves room for
    a description of `described` tokens.
    """
    if not sentences:
        return []
    batch = tokenizer(
        [sentence.text for sentence in sentences],
        add_special_tokens=special_tokens,
        return_offsets_mapping=True,
        return_attention_mask=False,
        return_token_type_ids=False,
        verbose=False,
    )
    # Each of these goes through all tokens of the tokenizer, so they are computed once.
    unknown, special = tokenizer.unk_token_id, frozenset(tokenizer.all_special_ids)
    return [
        _encoded(tokenizer, sentence, ids, offsets, unknown, special, described)
        for sentence, ids, offsets in zip(sentences, batch["input_ids"], batch["offset_mapping"], strict=True)
    ]


def replace(encoded: Encoded, slot_index: int, ids: Sequence[int]) -> Encoded:
    """Return the sentence with other tokens in a slot (one mask, k masks, another word); later slots are shifted."""
    slot = encoded.slots[slot_index]
    shift = len(ids) - len(slot)

    def moved(index: int, other: range) -> range:
        if index == slot_index:
            return range(slot.start, slot.start + len(ids))
        return range(other.start + shift, other.stop + shift) if other.start >= slot.stop else other

    slots = tuple(moved(index, other) for index, other in enumerate(encoded.slots))
    return changed(encoded, ids=encoded.ids[: slot.start] + tuple(ids) + encoded.ids[slot.stop :], slots=slots)


def _encoded(
    tokenizer: Any,
    sentence: Sentence,
    ids: list[int],
    offsets: list[tuple[int, int]],
    unknown: int | None,
    special: frozenset[int],
    described: int,
) -> Encoded:
    slots = tuple(_slot(tokenizer, sentence.text, span, ids, offsets) for span in sentence.spans)
    faults = [length_fault(tokenizer, ids, described)] + [
        _slot_fault(sentence.text, span, slot, ids, offsets, unknown, special)
        for span, slot in zip(sentence.spans, slots, strict=True)
    ]
    return Encoded(tuple(ids), slots, next(filter(None, faults), ""))


def _slot(tokenizer: Any, text: str, span: tuple[int, int], ids: list[int], offsets: list[tuple[int, int]]) -> range:
    start, end = span
    inside = [index for index, (left, right) in enumerate(offsets) if left < end and right > start and left < right]
    if not inside:
        return range(0)
    first = inside[0]
    # Some words are spelled with their space as a separate token. One space belongs to the word, two do not.
    alone = re.search(r"(?<!\s)\s?$", text[:start])
    if alone and (alone.group() or not start) and first and offsets[first][0] >= start:
        first -= tokenizer.convert_ids_to_tokens(ids[first - 1]) in _SPACE_MARKS
    return range(first, inside[-1] + 1)


def length_fault(tokenizer: Any, ids: list[int], described: int = 0) -> str:
    """Return why a text of these tokens, below a description of `described` tokens, cannot be run; empty if it can."""
    limit = tokenizer.model_max_length
    if len(ids) + described <= limit or limit >= UNLIMITED:
        return ""
    below = " with its description" if len(ids) <= limit else ""
    return f"longer than the model's {limit} tokens{below}"


def _slot_fault(
    text: str,
    span: tuple[int, int],
    slot: range,
    ids: list[int],
    offsets: list[tuple[int, int]],
    unknown: int | None,
    special: frozenset[int],
) -> str:
    start, end = span
    word, tokens = text[start:end], [ids[index] for index in slot]
    if not tokens:
        return f"{word!r} leaves no token"
    if unknown in tokens:
        return f"{word!r} is {UNKNOWN}"
    if not special.isdisjoint(tokens):
        return f"{word!r} contains a special token of the model"
    left = min(offsets[index][0] for index in slot)
    right = max(offsets[index][1] for index in slot)
    if text[left:start].strip() or text[end : max(right, end)].strip():
        return f"{word!r} shares a token with the text beside it"
    return ""
