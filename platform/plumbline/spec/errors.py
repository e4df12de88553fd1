"""Errors of the user. Each message is one line that names the fault and the remedy."""

import re
from typing import Any

MOST_SHOWN = 200
"""The most characters of an input that a message repeats."""
MOST_MESSAGE = 1200
"""The longest message, in characters. It keeps its beginning and its end, which names the remedy."""
_LONG = re.compile(r"""'(?:[^'\\]|\\.){201,}'|"(?:[^"\\]|\\.){201,}"|\S{201,}""")


def shown(value: Any) -> str:
    """Return the value as a message shows it: in quotes, and at most MOST_SHOWN characters of it."""
    if isinstance(value, str) and len(value) > MOST_SHOWN:
        return f"{value[:MOST_SHOWN]!r}..."
    return repr(value) if isinstance(value, str) else _cut(repr(value))


def _cut(text: str) -> str:
    """Return the text, or its beginning with the quote that it opens closed again."""
    quote = text[0] if text.startswith(("'", '"')) else ""
    return text if len(text) <= MOST_SHOWN else f"{text[: MOST_SHOWN - 1]}{quote}..."


def shortened(message: str) -> str:
    """Return the message with long quoted parts and long words cut to MOST_SHOWN characters."""
    message = _LONG.sub(lambda found: _cut(found[0]), message)
    if len(message) <= MOST_MESSAGE:
        return message
    return f"{message[: MOST_MESSAGE - MOST_SHOWN]} ... {message[-MOST_SHOWN:]}"


class InputError(ValueError):
    """An error in the input. The message says what is wrong and what to do. Commands exit with status 2."""

    def __init__(self, message: str) -> None:
        super().__init__(shortened(" ".join(message.split())))


class SpecError(InputError):
    """An error in the audit spec."""


class ModelError(InputError):
    """A model that cannot be used: missing, pickled, gated, of the wrong kind or broken."""


class OutOfMemoryError(ModelError):
    """A model, or one input, that does not fit into memory. On another machine it may fit."""
