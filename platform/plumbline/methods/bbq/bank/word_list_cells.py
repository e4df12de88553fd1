"""Lists of words in a template's cells: NAME1: [a, b]; NAME2: [c, d], or the same with {{NAME1}}.

A correct parser reads the lists in either order and a semicolon between words. The authors' own did neither: `original`
reads as theirs did, so that the number of examples equals the published one.
"""

import re
from collections.abc import Sequence
from typing import Any

from plumbline.spec.json_text import load_json

Words = tuple[str, ...]
_LIST = re.compile(r"\{?[\{\[]?(\w+)\}?\}?\s*:\s*\[([^\]]*)\]")
FIRST, SECOND = "NAME1", "NAME2"


def lists_of(cell: str) -> dict[str, Words]:
    """Return the lists of a cell by the slot that they fill. Raises ValueError for what is no list."""
    found = {match[1]: _words(match[2], "[,;]") for match in _LIST.finditer(cell)}
    if left := _LIST.sub("", cell).strip(" ;,.\n\t"):
        raise ValueError(f"{left[:40]!r} is no list of words; write NAME1: [one, other]; NAME2: [third]")
    if empty := next((slot for slot, words in found.items() if not words), ""):
        raise ValueError(f"the list of {empty} is empty")
    return found


def name_lists(cell: str, original: bool = False) -> tuple[Words, Words]:
    """Return the labels for the first and the second slot. Raises ValueError if one is missing."""
    if original:
        return _as_the_authors(cell)
    lists = lists_of(cell)
    if missing := next((slot for slot in (FIRST, SECOND) if slot not in lists), ""):
        raise ValueError(f"there is no list of {missing}")
    return lists[FIRST], lists[SECOND]


def _as_the_authors(cell: str) -> tuple[Words, Words]:
    """Return the lists of the authors' parser: one up to the first semicolon, the other from the last on."""
    parts = cell.split(";")
    return _after(FIRST, parts[0]), _after(SECOND, parts[-1])


def _after(slot: str, part: str) -> Words:
    head, bracket, tail = part.partition("[")
    return _words(tail.partition("]")[0], ",") if bracket and slot in head else ()


def _words(text: str, separator: str) -> Words:
    return tuple(word.strip() for word in re.split(separator, text) if word.strip())


def two_lists(cell: str) -> tuple[Words, Words]:
    """Return the words of a second identity: ["man", "woman"], or two lists. Raises ValueError for anything else."""
    try:
        first, second = (_as_words(part) for part in load_json(cell))
    except (ValueError, TypeError):
        raise ValueError(f'{cell[:60]!r} is no pair of words or lists, such as ["man", "woman"]') from None
    return first, second


def _as_words(part: Any) -> Words:
    words: Sequence[Any] = [part] if isinstance(part, str) else part
    if not words or not all(isinstance(word, str) and word.strip() for word in words):
        raise ValueError
    return tuple(word.strip() for word in words)
