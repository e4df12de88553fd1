"""What a pack leaves out of the words of a run: the texts of banks, and who rated.

Summaries count the words and capitals of texts and compare texts with each other. So a text is not removed: each of its
letters is replaced by another one that depends on the whole text. Lengths, capitals, marks and the equality of two
texts stay, and with them every figure. Whoever has the text can check it; a very short one can be guessed.
"""

import hashlib
import re
from collections.abc import Mapping
from typing import Any

TEXTS = ("context", "question", "prompt", "answer", "others", "text", "more", "less", "sentence")
"""The keys of entries of banks that hold texts of others. Options of BBQ stay: records and measures name them."""
DEMOGRAPHICS = ("gender", "race", "age", "education", "area")
_SLOT = re.compile(r"(\{[^{}]*\})")


def reduced(content: Mapping[str, Any], *, texts: bool, people: bool) -> Mapping[str, Any]:
    """Return a snapshot without texts of banks unless `texts`, and without who rated unless `people`."""
    if content.get("kind") == "banks" and not texts:
        return {**content, "entries": [_without_text(entry) for entry in content["entries"]]}
    if content.get("kind") == "ratings" and not people:
        return {**content, "entries": _without_raters(content["entries"])}
    return content


def replaced(text: str) -> str:
    """Return the text with every letter and digit replaced. Slots such as {name} stay."""
    letters = hashlib.shake_128(text.encode()).digest(len(text))
    found, at = [], 0
    for part in _SLOT.split(text):
        of_part = letters[at : at + len(part)]
        found.append(part if _SLOT.fullmatch(part) else "".join(map(_replaced_one, part, of_part)))
        at += len(part)
    return "".join(found)


def _replaced_one(letter: str, by: int) -> str:
    if letter.isdigit():
        return str(by % 10)
    if not letter.isalpha():
        return letter
    return chr(ord("A" if letter.isupper() else "a") + by % 26)


def _without_text(entry: Mapping[str, Any]) -> dict[str, Any]:
    found = {key: _all_replaced(value) if key in TEXTS else value for key, value in entry.items()}
    return _with_pronoun(entry, found) if "pronoun_offset" in entry else found


def _all_replaced(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_all_replaced(one) for one in value]
    return replaced(value) if isinstance(value, str) else value


def _with_pronoun(entry: Mapping[str, Any], found: dict[str, Any]) -> dict[str, Any]:
    """Return a passage of GAP whose pronoun stays, and whose names and address are replaced as in its text."""
    text, pronoun, at = found["text"], entry["pronoun"], entry["pronoun_offset"]
    text = text[:at] + pronoun + text[at + len(pronoun) :]
    names = {key: text[entry[f"{key}_offset"] :][: len(entry[key])] for key in ("a", "b")}
    return {**found, "text": text, **names, "url": ""}


def _without_raters(entries: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return ratings whose raters have numbers, in the same order as their names, without their demographics."""
    names = sorted({str(entry["annotator"]) for entry in entries})
    numbers = {name: f"rater {place:06}" for place, name in enumerate(names, start=1)}
    kept = ({key: value for key, value in entry.items() if key not in DEMOGRAPHICS} for entry in entries)
    return [{**entry, "annotator": numbers[str(entry["annotator"])]} for entry in kept]
