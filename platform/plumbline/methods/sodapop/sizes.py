"""How many distractors the generating phase may make of a right answer, as far as its words say it."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plumbline.methods.sodapop.spec import SodapopParams

_CLITICS = r"n['’]t|['’](?:s|m|d|re|ve|ll)"
WORD = re.compile(
    rf"(?:{_CLITICS})(?!\w)"  # n't, 's: separated from the word before
    rf"|\w(?:(?!(?:{_CLITICS})(?!\w))(?:[-'’.]|(?<=\d),(?=\d))?\w)*"  # no-nonsense, o'clock, 1,000
    r"|[^\w\s]+",
    re.IGNORECASE,
)
"""A word of a right answer, which the generator may replace."""


def sentences(words: int, params: "SodapopParams") -> int:
    """Return an estimate, rather too high, of the masked sentences for an answer of `words` words.

    The n-th step masks one word in addition to n - 1 others that were filled in, each by one of `top` tokens.
    """
    found: int = sum((params.top * (words - 1)) ** step for step in range(params.k))
    return words * found


def rows(words: int, params: "SodapopParams", cap: int | None) -> int:
    """Return an estimate, rather too high, of the number of distractors."""
    found = params.top * sentences(words, params)
    return found if cap is None else min(found, cap)
