"""Points on two axes, laid out in pixels: what each has of one figure, and of another."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

WIDTH, HEIGHT = 560, 320
LEFT, RIGHT, TOP, BOTTOM = 64, 16, 12, 44
"""Margins; the left and the lower one hold the figures of the axes."""


@dataclass(frozen=True, slots=True)
class Point:
    """One point, in the units of the figures or, laid out, in pixels; `kind` chooses its shape."""

    x: float
    y: float
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A figure at an axis, and where it stands in pixels."""

    at: float
    value: float


@dataclass(frozen=True, slots=True)
class Scatter:
    points: tuple[Point, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    zero: float | None
    """Where x is 0, if that is inside."""
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def scatter(points: Sequence[Point], width: int = WIDTH) -> Scatter | None:
    """The points between the ends of both figures, `width` pixels wide; None for fewer than two."""
    if len(points) < 2:
        return None
    least_x, most_x = _ends([one.x for one in points])
    least_y, most_y = _ends([one.y for one in points])

    def across(x: float) -> float:
        return LEFT + (x - least_x) / (most_x - least_x) * (width - LEFT - RIGHT)

    def up(y: float) -> float:
        return HEIGHT - BOTTOM - (y - least_y) / (most_y - least_y) * (HEIGHT - TOP - BOTTOM)

    return Scatter(
        points=tuple(replace(one, x=across(one.x), y=up(one.y)) for one in points),
        across=tuple(Tick(across(value), value) for value in _ticks(least_x, most_x)),
        up=tuple(Tick(up(value), value) for value in _ticks(least_y, most_y)),
        zero=across(0.0) if least_x < 0 < most_x else None,
        width=width,
        right=width - RIGHT,
    )


def _ends(values: Sequence[float]) -> tuple[float, float]:
    """A little beyond the least and the most, so that no point lies on an axis; equal values get room of their own."""
    least, most = min(values), max(values)
    room = 0.06 * (most - least) or 0.1 * abs(least) or 0.1
    return least - room, most + room


def _ticks(least: float, most: float) -> tuple[float, float, float]:
    return least, (least + most) / 2, most
