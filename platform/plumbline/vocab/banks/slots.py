"""Replacement of a person's name in a published question by the slot `{name}`."""

import re

SLOT = "{name}"
_WORD = re.compile(r"\w+")


def slotted(text: str, name: str) -> str:
    """Return the text with `{name}` for each whole word `name`, also before a possessive 's. No other word is changed.

    Upper and lower case must agree: "will" is no Will. A curly apostrophe of a possessive becomes a straight one.
    """
    put = re.sub(rf"(?<![\w{{]){re.escape(name)}(?![\w}}])", SLOT, text)
    return put.replace(SLOT + "’s", SLOT + "'s")


def left_names(text: str, name: str) -> list[str]:
    """Return words of a slotted text that still hold the name: misspelled (Bethanys) or in another case."""
    rest = text.replace(SLOT, " ")
    return list(dict.fromkeys(word for word in _WORD.findall(rest) if word.lower().startswith(name.lower())))
