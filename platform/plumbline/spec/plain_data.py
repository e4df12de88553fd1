"""Plain data that people write as YAML or JSON: limits on its depth and on what it may contain."""

import math
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

from plumbline.spec.errors import SpecError, shown

MOST_DEPTH = 20
"""The most levels of lists and mappings. No spec needs more than ten."""


def check_plain(data: Any) -> None:
    """Raise SpecError for data that is nested too deeply, contains itself, or that PostgreSQL cannot store as JSON.

    No word holds a control character or a lone surrogate, and PostgreSQL refuses NUL, NaN and infinity.
    """
    for path, value in _values(data):
        if isinstance(value, str) and _has_control_character(value):
            raise SpecError(f"{shown(value)} contains a control character; take it out.")
        if isinstance(value, float) and not math.isfinite(value):
            raise SpecError(f"{'.'.join(path)}: {value} is no number; write a finite one.".removeprefix(": "))


def _has_control_character(text: str) -> bool:
    return any(unicodedata.category(character) in ("Cc", "Cs") for character in set(text) - {"\n", "\t"})


def _values(data: Any) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Yield all keys and values with the keys above them, without recursion. Raises SpecError below MOST_DEPTH."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), data)]
    while waiting:
        path, value = waiting.pop()
        if len(path) > MOST_DEPTH:
            raise SpecError(f"the data is nested more than {MOST_DEPTH} levels deep; write it flat.")
        if isinstance(value, Mapping):
            waiting.extend(((*path, shown(key).strip("'")), part) for key, own in value.items() for part in (key, own))
        elif isinstance(value, list | tuple):
            waiting.extend(((*path, str(place)), part) for place, part in enumerate(value, start=1))
        else:
            yield path, value
