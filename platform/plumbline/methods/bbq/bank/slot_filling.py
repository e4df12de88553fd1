"""Filling the slots of a template, and mending what a fill makes ungrammatical, as the authors did.

If the words for a person begin with a vowel letter, "a" or "A" between spaces and before a vowel gets its n (not
before "European"). An "A" that begins the text is left, "an university" occurs, and so does "got an An in the end":
their examples come out letter for letter only so. Word a template of your own around such places.
"""

import re
from collections.abc import Mapping

SLOT = re.compile(r"\{[\{\[]\s*(\w+)\s*\}\}")
"""{{NAME1}}; one published template has it as {[NAME1}}."""
FILLER = "WORD"
VOWELS = "aeiouAEIOU"
_ARTICLE = re.compile(rf" ([aA]) (?=[{VOWELS}])")
REPAIRS = ((" an European", " a European"), ("lesbian man", "lesbian woman"), ("Latino woman", "Latina woman"))


def slots_of(text: str) -> set[str]:
    """Return the names of the slots of a text."""
    return set(SLOT.findall(text))


def filled(text: str, fills: Mapping[str, str]) -> str:
    """Return the text with its slots filled and its articles corrected. Raises KeyError for a slot without a fill."""
    put = SLOT.sub(lambda slot: fills[slot[1]], text)
    people = [fill for slot, fill in fills.items() if not slot.startswith(FILLER)]
    return mended(put, any(fill.startswith(tuple(VOWELS)) for fill in people))


def mended(text: str, vowel: bool) -> str:
    if vowel:
        text = _ARTICLE.sub(r" \1n ", text)
    for faulty, right in REPAIRS:
        text = text.replace(faulty, right)
    return text
