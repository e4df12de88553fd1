"""Pydantic's validation errors of a spec, in one line of plain words."""

from typing import Any

from pydantic import ValidationError

MOST_FAULTS = 3
NOTHING_HERE = "nothing is chosen here yet; the plan needs it"
"""What stands beside a form's empty field, which names its key itself."""
LONGEST_KEY = 40

PLAIN_WORDS = {
    "extra_forbidden": "unknown key; remove it or check its spelling",
    "invalid_key": "a key must be text; put it in quotes",
    "missing": "is missing; add it",
    "string_type": "must be text; put it in quotes",
    "string_too_short": "is empty; write something",
    "too_short": "is empty; give at least one entry",
    "tuple_type": "must be a list; write [...]",
    "model_type": "must be a mapping; write {key: value}",
}
"""Replacements for pydantic's messages that mention Python or name no remedy."""


def in_one_line(error: ValidationError) -> str:
    """Return the first faults, each with its place, and the number of further ones."""
    faults = _causes(error.errors())
    more = len(faults) - MOST_FAULTS
    return "; ".join(map(_fault, faults[:MOST_FAULTS])) + (f"; and {more} more" if more > 0 else "")


def by_place(error: ValidationError) -> list[tuple[tuple[str, ...], str]]:
    """Return every fault, as the keys that lead to it and as its message."""
    return [
        (
            tuple(step for step in fault["loc"] if isinstance(step, str)),
            NOTHING_HERE if fault["type"] == "missing" else _fault({**fault, "loc": ()}),
        )
        for fault in _causes(error.errors())
    ]


def _causes(faults: list[Any]) -> list[Any]:
    """Return the faults without their consequences: a list whose one entry is wrong is not also empty."""
    return [fault for fault in faults if not any(_is_inside(other["loc"], fault["loc"]) for other in faults)]


def _is_inside(place: tuple[Any, ...], whole: tuple[Any, ...]) -> bool:
    return len(place) > len(whole) and place[: len(whole)] == whole


def _fault(fault: Any) -> str:
    where = ".".join(str(step)[:LONGEST_KEY] for step in fault["loc"] if not str(step).startswith("function-"))
    what = PLAIN_WORDS.get(fault["type"], fault["msg"].removeprefix("Value error, "))
    return f"{where}: {what}" if where else what
