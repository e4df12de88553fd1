"""The words of curated lists as a tokenizer is asked about them, each with the part of its list that it belongs to."""

from typing import Any

from plumbline.spec.errors import InputError
from plumbline.vocab import content

FORMS = {"names": ("name",), "groups": ("label", "singular", "plural"), "attributes": ("text", "plural")}
"""The kinds of lists (of plumbline.vocab.content) whose words stand in sentences, and the fields that hold these."""
PARTS = {"names": ("group",), "groups": ("label",), "attributes": ("category", "pole")}
"""What a word is one of; the first that is filled."""


def parts_of(kind: str, slug: str) -> dict[str, str]:
    """Part by word, for each distinct word of a list in all its forms; "" where it is part of nothing.

    Raises InputError for a kind without words of its own, and for a list that is not there or empty.
    """
    if kind not in FORMS:
        raise InputError(f"{kind!r} cannot be spelled word by word; choose one of {', '.join(FORMS)}.")
    found: dict[str, str] = {}
    for entry in content.frozen(kind, slug)["entries"]:
        for word in (entry[form] for form in FORMS[kind] if entry.get(form)):
            found.setdefault(word, _part(kind, entry))
    return found


def _part(kind: str, entry: dict[str, Any]) -> str:
    return next((str(entry[field]) for field in PARTS[kind] if entry.get(field)), "")
