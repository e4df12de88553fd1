"""Words that echo a group's name: a model may link the two by their letters, whatever they mean."""

import re
from collections.abc import Iterable
from itertools import takewhile

FEWEST_SHARED = 6
"""The number of letters at the beginning or end of two words that make them look alike. Common suffixes have fewer."""
FEWEST_OF_A_STEM, SHARE_OF_A_STEM = 5, 0.6
"""A shorter beginning makes words alike if it is most of one: “disabled” and “disabilities”."""
FEWEST_WITHIN = 5
"""The letters of a word that stands within another one: “migrant” and “immigrants”, “woman” and “womanly”."""
SUFFIXES = ("ational", "ations", "ically", "nesses", "ibility", "ability")
"""Endings that say nothing of a word."""

SAY_NOTHING = frozenset(("and", "are", "for", "from", "people", "person", "the", "who", "with"))
"""Words of many names and traits, which link none of them to another."""


def echo(word: str, names: Iterable[str]) -> str:
    """Return the letters that a word shares with a group's names, or "".

    These are a whole word of at least three letters ("wealthy" and "wealthy people"), the beginning or end of one
    ("egotistic" and "autistic people"), or a word within the other ("migrant" and "immigrants").
    """
    own = _parts(word)
    theirs = {part for name in names for part in _parts(name)}
    if same := sorted(own & theirs, key=len):
        return same[-1]
    found = [shared for one in own for other in theirs for shared in _ends(one, other)]
    return max(found, key=len, default="")


def _parts(text: str) -> set[str]:
    return {part for part in re.findall(r"\w+", text.casefold()) if len(part) >= 3} - SAY_NOTHING


def _ends(one: str, other: str) -> list[str]:
    begin = _beginning(one, other)
    end = _beginning(one[::-1], other[::-1])[::-1]
    ends = [] if any(suffix.endswith(end) for suffix in SUFFIXES) else [end]
    stem = [begin] if len(begin) >= max(FEWEST_OF_A_STEM, SHARE_OF_A_STEM * min(len(one), len(other))) else []
    within = [part for part, whole in ((one, other), (other, one)) if len(part) >= FEWEST_WITHIN and part in whole]
    return [*(part for part in (begin, *ends) if len(part) >= FEWEST_SHARED), *stem, *within]


def _beginning(one: str, other: str) -> str:
    same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return "".join(letter for letter, _ in same)
