"""The geometry of a strip of dots: one statistic's values by template around zero, with mean and interval."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.pages.charts.geometry import Scale, farthest

WIDTH, LINE, AXIS, MARGIN = 320, 36, 20, 24
"""Pixels. The margin holds half of the number below each end of the axis."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of dots in the values' unit: its title, the values, and their estimate if any."""

    title: str
    values: Sequence[float]
    mean: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """One line in pixels. Positions are None if there is nothing to draw."""

    title: str
    y: int
    dots: tuple[float, ...]
    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Strip:
    """All lines on one axis from -`end` to +`end`."""

    lines: tuple[Drawn, ...]
    end: float
    width: int = WIDTH

    @property
    def middle(self) -> float:
        return self.width / 2

    @property
    def least(self) -> float:
        return -self.end

    @property
    def left(self) -> int:
        """The position of -`end`."""
        return MARGIN

    @property
    def right(self) -> int:
        return self.width - MARGIN

    @property
    def axis(self) -> int:
        """The vertical position of the axis."""
        return LINE * len(self.lines)

    @property
    def height(self) -> int:
        return self.axis + AXIS


def strip(lines: Sequence[Line]) -> Strip | None:
    """Return the lines that have values in pixels, or None without any."""
    filled = [line for line in lines if line.values]
    if not filled:
        return None
    end = farthest(one for line in filled for one in (*line.values, line.mean, line.low, line.high))
    scale = Scale(-end, end, MARGIN, WIDTH - MARGIN)
    return Strip(tuple(_drawn(line, number, scale) for number, line in enumerate(filled)), end)


def _drawn(line: Line, number: int, scale: Scale) -> Drawn:
    dots = tuple(map(scale.at, line.values))
    return Drawn(
        line.title, LINE * number + 24, dots, scale.place(line.mean), scale.place(line.low), scale.place(line.high)
    )
