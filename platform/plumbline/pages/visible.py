"""Display of people's texts: literal, with invisible characters made visible."""

from plumbline.vocab.templatetags.words import visible

__all__ = ["visible", "visible_lines"]


def visible_lines(text: str) -> str:
    """Return the text with visible forms of invisible characters, except line ends and tabs."""
    return "".join(one if one in "\n\t" else visible(one) for one in text.replace("\r\n", "\n"))
