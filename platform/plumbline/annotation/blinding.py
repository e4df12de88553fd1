"""Sentences without the name in them, so that who rates them cannot tell the group. Pure functions."""

import re

SHOWN_AS = "[Name]"


def blind(text: str, name: str) -> str:
    """The text with a slot for each `{name}` and each whole word that is the name."""
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    return whole.sub(SHOWN_AS, text.replace("{name}", SHOWN_AS)) if name else text
