"""Entries that a plan itself holds, as lines of the form: `label | singular | plural` for groups, a text for others."""

from collections.abc import Iterable, Mapping
from typing import Any

SEPARATOR = "|"
PARTS = ("label", "singular", "plural")
"""The keys of a group that its line shows, in order. Others stay in the YAML."""


def line_of(kind: str, entry: Any) -> str | None:
    """Return the line of an entry of a kind of list, or None for an entry that no line can show."""
    if kind != "groups":
        return entry if _is_part(entry) else None
    parts = [entry.get(key, "") for key in PARTS] if isinstance(entry, Mapping) else [entry, "", ""]
    if not parts[0] or not all(_is_part(one) and SEPARATOR not in one for one in parts):
        return None
    return _joined(parts)


def entries_of(kind: str, lines: Iterable[str], before: Iterable[Any]) -> list[Any]:
    """Return the entries that the lines mean.

    An entry of `before` whose line is unchanged stays as it is. One whose label is unchanged keeps its other keys.
    """
    if kind != "groups":
        return list(lines)
    known = {str(line_of(kind, one)): one for one in before}
    by_label = {_parts(line)[0]: one for line, one in known.items()}
    return [
        known[line] if (line := _joined(parts)) in known else _group(parts, by_label) for parts in map(_parts, lines)
    ]


def _group(parts: list[str], by_label: Mapping[str, Any]) -> Any:
    old = by_label.get(parts[0])
    others = {key: one for key, one in old.items() if key not in PARTS} if isinstance(old, Mapping) else {}
    given = {key: one for key, one in zip(PARTS, parts, strict=True) if one}
    return {**given, **others} if others or len(given) > 1 else parts[0]


def _parts(line: str) -> list[str]:
    """Return label, singular and plural. What follows a third separator stays in the plural, which the spec refuses."""
    found = [part.strip() for part in line.split(SEPARATOR, len(PARTS) - 1)]
    return [*found, "", ""][: len(PARTS)]


def _joined(parts: list[str]) -> str:
    return f" {SEPARATOR}".join([parts[0], *(f" {one}" if one else "" for one in parts[1:])]).rstrip(f" {SEPARATOR}")


def _is_part(value: Any) -> bool:
    return isinstance(value, str) and value == value.strip() and len(value.splitlines()) <= 1
