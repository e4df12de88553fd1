"""Names on a map: a cloud for each group, from measures with the conditions x and y."""

from collections.abc import Iterable
from dataclasses import dataclass

from plumbline.pages.charts.geometry import Scale
from plumbline.pages.charts.series_markers import SHAPES
from plumbline.spec.measure import Measure

MAP, MARGIN = 520, 24
"""Pixels: the side of the square map, and its margin."""
MOST_NAMES = 5000
"""The most names that a page draws."""


@dataclass(frozen=True, slots=True)
class Place:
    """A name on the map, in pixels."""

    name: str
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Cloud:
    """A group's names, with the group's shape and colour number."""

    group: str
    shape: str
    colour: int
    places: tuple[Place, ...]


def clouds(found: Iterable[Measure]) -> list[Cloud]:
    """Return the clouds from the projection's measures (`condition` x or y). Names without both have no place."""
    at: dict[tuple[str, str], dict[str, float]] = {}
    for one in found:
        if one.value is not None and one.condition in ("x", "y"):
            at.setdefault((one.group_a, one.attribute), {})[one.condition] = one.value
    whole = {key: place for key, place in at.items() if len(place) == len("xy")}
    if not whole:
        return []
    across, up = _scales(whole.values())
    groups: dict[str, list[Place]] = {}
    for (group, name), place in whole.items():
        groups.setdefault(group, []).append(Place(name, across.at(place["x"]), up.at(place["y"])))
    return [
        Cloud(group, SHAPES[number % len(SHAPES)], number % len(SHAPES), tuple(own))
        for number, (group, own) in enumerate(sorted(groups.items()))
    ]


def _scales(places: Iterable[dict[str, float]]) -> tuple[Scale, Scale]:
    """Return the scales of x and y from their least values. A unit has the same length on both."""
    every = list(places)
    x, y = (min(one[axis] for one in every) for axis in ("x", "y"))
    spread = max(max(one["x"] - x, one["y"] - y) for one in every) or 1.0
    return Scale(x, x + spread, MARGIN, MAP - MARGIN), Scale(y, y + spread, MAP - MARGIN, MARGIN)
