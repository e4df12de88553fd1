"""Clean text: words that people type, before they are compared, stored or shown."""

import unicodedata

# Controls, invisible format marks (zero-width, direction), lone surrogates, line and paragraph separators.
REFUSED = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def tidy(text: str) -> str:
    """Return the text without white space at its ends, in Unicode's composed form (NFC): equal looks compare equal."""
    return unicodedata.normalize("NFC", text).strip()


def printable(text: str) -> str:
    """Return the text on one line, with a blank in place of each character that does not print."""
    return "".join(one if one.isprintable() else " " for one in text)


def fault_in(text: str, lines: bool = False) -> str:
    """Return the fault of a text's characters, in words that follow its name; "" if there is none.

    An invisible character would make two words that look alike differ, and a model read another word than people
    do. With `lines`, a text may have line ends and tabs.
    """
    allowed = "\n\t" if lines else ""
    for character in text:
        category = unicodedata.category(character)
        if category in REFUSED and character not in allowed:
            return f"has the invisible character {_character_name(character)}; take it out"
        if category == "Zs" and character != " ":
            return f"has the unusual space {_character_name(character)}; write a plain space"
    return ""


def _character_name(character: str) -> str:
    name = unicodedata.name(character, "").lower()
    return f"U+{ord(character):04X}" + (f" ({name})" if name else "")
