"""The words of curated lists that tokenizers split, each with the part of its list that it belongs to."""

from typing import Any

from plumbline.spec.errors import InputError
from plumbline.vocab import content

FORMS = {"names": ("name",), "groups": ("label", "singular", "plural"), "attributes": ("text", "plural")}
"""The kinds of lists (of plumbline.vocab.content) whose words fill sentences, and the fields with these words."""
PARTS = {"names": ("group",), "groups": ("label",), "attributes": ("category", "pole")}
"""The fields that name a word's part of its list. The first non-empty one counts."""


def parts_of(kind: str, slug: str) -> dict[str, str]:
    """Return the part of each distinct word of a list in all its forms, "" for none.

    Raises InputError for a kind without words, and for a missing or empty list.
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
