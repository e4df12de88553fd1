"""Blinding: sentences without the name, so that raters cannot know the group. These functions are pure."""

import re

SHOWN_AS = "[Name]"


def blind(text: str, name: str) -> str:
    """Return the text with a slot for each `{name}` and each whole word that is the name."""
    whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.IGNORECASE)
    return whole.sub(SHOWN_AS, text.replace("{name}", SHOWN_AS)) if name else text
