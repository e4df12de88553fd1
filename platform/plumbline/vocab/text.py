"""Clean text: what people type into vocabularies, before it is compared, stored or shown."""

import unicodedata

# Controls, invisible format marks (zero-width, direction), lone surrogates, line and paragraph separators.
REFUSED = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def tidy(text: str) -> str:
    """Without white space at the ends, in Unicode's composed form (NFC), so that what looks equal compares equal."""
    return unicodedata.normalize("NFC", text).strip()


def fault_in(text: str, lines: bool = False) -> str:
    """What is wrong with the characters of a text, in words that follow its name; "" when nothing is.

    An invisible character would make two words that look alike differ, and a model read another word than people do.
    With `lines`, a text may have line ends and tabs.
    """
    allowed = "\n\t" if lines else ""
    for character in text:
        category = unicodedata.category(character)
        if category in REFUSED and character not in allowed:
            return f"has the invisible character {_named(character)}; take it out"
        if category == "Zs" and character != " ":
            return f"has the unusual space {_named(character)}; write a plain space"
    return ""


def _named(character: str) -> str:
    name = unicodedata.name(character, "").lower()
    return f"U+{ord(character):04X}" + (f" ({name})" if name else "")
