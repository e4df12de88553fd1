"""Words that name a gender by definition (girl, husband), from the starter list of that name."""

import csv
import re
from functools import cache
from pathlib import Path

from plumbline.vocab.banks.neutral import GENDERED

FILE = Path(__file__).parents[1] / "starter" / "attributes" / "definitional-words.csv"
_WORD = re.compile(r"[^\W\d_]+(?:['’](?!s\b)[^\W\d_]+)?")


GENDER_ADJECTIVES = frozenset(
    (
        *("boyish", "effeminate", "fatherly", "feminine", "girlish", "ladylike"),
        *("manly", "mannish", "masculine", "motherly", "tomboyish", "womanly"),
    )
)
"""Adjectives that name a gender by definition, apart from the list of nouns."""


@cache
def definitional_words() -> frozenset[str]:
    """Return singular and plural forms, in lower case."""
    with FILE.open(encoding="utf-8", newline="") as file:
        return frozenset(row[form].lower() for row in csv.DictReader(file) for form in ("text", "plural") if row[form])


def gendered_words(text: str) -> list[str]:
    """Return a text's gendered words once each, in lower case, without a possessive and without pronouns."""
    words = dict.fromkeys(word.lower() for word in _WORD.findall(text))
    return [word for word in words if word in definitional_words() and word not in GENDERED]
