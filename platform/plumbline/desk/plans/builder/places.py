"""Where a field stands in the plain data of a spec, and data with a field set or taken out."""

from collections.abc import Iterator, Mapping
from typing import Any

from plumbline.desk.plans.builder.shapes import Shape

Path = tuple[str, ...]
Change = tuple[Path, Any]
"""A place and its new value. ABSENT takes the place out."""
ABSENT: Any = object()
OF_LISTS = {"list", "bank", "inline"}


def value_at(data: Any, path: Path) -> Any:
    """Return the value at a path, or ABSENT."""
    for step in path:
        if not isinstance(data, Mapping) or step not in data:
            return ABSENT
        data = data[step]
    return data


def place_of(key: str, data: Any, shape: Shape) -> Path:
    """Return where the data has a field of the spec: under its own key, or in a group such as `targets: {x: ...}`.

    A field that the data lacks goes to a group that has others of its kind, otherwise to its own key.
    """
    if not isinstance(data, Mapping) or key in data:
        return (key,)
    for outer, inner in _groups(data, shape):
        if inner and key.startswith(f"{outer}_") and f"{outer}_{inner}" in shape.keys:
            return (outer, key.removeprefix(f"{outer}_"))
        if not inner and key in data[outer]:
            return (outer, key)
    return (key,)


def _groups(data: Mapping[str, Any], shape: Shape) -> Iterator[tuple[str, str]]:
    """Yield each key that groups fields of the spec, with the first inner key if it completes the outer one."""
    for outer, value in data.items():
        if not isinstance(value, Mapping) or not value or OF_LISTS & set(value):
            continue
        first = str(next(iter(value)))
        if f"{outer}_{first}" in shape.keys:
            yield outer, first
        elif outer not in shape.keys and first in shape.keys:
            yield outer, ""


def known_places(data: Any, shape: Shape) -> set[Path]:
    """Return the places of all fields of the spec that the data has."""
    return {place for key in shape.keys if value_at(data, place := place_of(key, data, shape)) is not ABSENT}


def with_change(data: Any, change: Change) -> Any:
    """Return plain data with one place set or taken out. A mapping that becomes empty goes, too."""
    (step, *rest), value = change
    found = dict(data) if isinstance(data, Mapping) else {}
    if rest:
        inner = with_change(found.get(step), (tuple(rest), value))
        value = inner if inner else ABSENT
    if value is ABSENT:
        found.pop(step, None)
    else:
        found[step] = value
    return found
