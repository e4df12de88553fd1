"""Limits on the texts of a spec that somebody writes. Inline words have the limits of curated ones.

Stored runs are parsed without them: what an earlier release launched stays readable.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from plumbline.spec.audit import AuditSpec
from plumbline.spec.clean_text import fault_in
from plumbline.spec.content import Attribute, Group, Name, Rating
from plumbline.spec.errors import SpecError, shown
from plumbline.spec.grammar import LONGEST_TEMPLATE

LONGEST_WORD = 200
"""The longest curated word, in characters: the limit of `WordField`."""
LONGEST_PROSE = 5000
"""The longest text of an inline context, question or passage. Their own fields have smaller limits."""
MOST_ENTRIES = 20_000
"""The most entries of an inline list."""


def check_written(data: Mapping[str, Any]) -> None:
    """Raise SpecError for a text of plain data that is too long, before anything searches or expands it."""
    for text, inline in _texts(data, False):
        if len(text) > (limit := LONGEST_PROSE if inline else LONGEST_TEMPLATE):
            raise SpecError(f"{shown(text)} has {len(text):,} characters; a text has at most {limit:,}. Shorten it.")


def check_inline(spec: AuditSpec) -> None:
    """Raise SpecError for inline words and templates that the pages for words would refuse."""
    for sources in spec.sources().values():
        for entry in (entry for source in sources for entry in source.inline or ()):
            for text, limit in _limited(entry):
                _check_text(text, limit)


def _limited(entry: Any) -> Iterator[tuple[str, int]]:
    """Yield the texts of an inline template or word, each with the longest length that it may have."""
    if isinstance(entry, str):
        yield entry, LONGEST_TEMPLATE
    elif isinstance(entry, Group | Attribute | Name | Rating):
        values = (getattr(entry, field) for field in type(entry).model_fields)
        parts = (part for value in values for part in (value if isinstance(value, tuple) else (value,)))
        yield from ((part, LONGEST_WORD) for part in parts if isinstance(part, str))


def _check_text(text: str, limit: int) -> None:
    if len(text) > limit:
        raise SpecError(f"{shown(text)} has {len(text):,} characters; it may have at most {limit:,}. Shorten it.")
    if fault := fault_in(text):
        raise SpecError(f"{shown(text)} {fault}.")


def _texts(data: Any, inline: bool) -> Iterator[tuple[str, bool]]:
    """Yield each text, and whether it is inside an inline list. Raises SpecError for a list with too many entries."""
    if isinstance(data, str):
        yield data, inline
    elif isinstance(data, Mapping):
        for key, value in data.items():
            yield from _texts(key, False)
            yield from _texts(value, inline or key == "inline")
    elif isinstance(data, list | tuple):
        if len(data) > MOST_ENTRIES:
            raise SpecError(f"a list of the spec has {len(data):,} entries; move them to a list of the vocabulary.")
        for value in data:
            yield from _texts(value, inline)
