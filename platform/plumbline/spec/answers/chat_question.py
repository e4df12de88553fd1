"""A question with lettered options as one turn of a chat, and the tokens that such turns need."""

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

LETTERS = "ABC"
INSTRUCTION = "Answer with the letter of one option only."
CHARACTERS_PER_TOKEN = 4
"""A rough average of English text."""
ANSWER_TOKENS = 4
"""The tokens of an answer, in estimates of costs."""


class WorkedExample(NamedTuple):
    """A question with its right answer: two turns of a chat before the question that is asked."""

    question: str
    answer: str


def with_letters(options: Sequence[str]) -> list[str]:
    return [f"{letter}. {option}" for letter, option in zip(LETTERS, options, strict=True)]


def chat_question(context: str | None, question: str, options: Sequence[str], instruction: str = "") -> str:
    """Return the turn: context, question, options and what to answer with."""
    before = [] if context is None else [context]
    return "\n".join([*before, f"Question: {question}", *with_letters(options), instruction or INSTRUCTION])


def tokens_of(characters: Iterable[int]) -> int:
    """Return an estimate of the tokens of texts of these lengths."""
    return math.ceil(sum(characters) / CHARACTERS_PER_TOKEN)
