"""A strip of dots: one statistic's values template by template, around zero, with their mean and its interval."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, LINE, AXIS, MARGIN = 320, 36, 20, 24
"""Pixels. The margin holds half of the figure that stands under either end of the axis."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of dots as it is computed: what it shows, its values, and their estimate where there is one."""

    title: str
    values: Sequence[float]
    mean: float | None = None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """One line in pixels; places are None where there is nothing to draw."""

    title: str
    y: int
    dots: tuple[float, ...]
    mean: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Strip:
    """All lines on one axis, which is symmetric around zero and ends at -`end` and +`end`."""

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
        """Where -`end` stands."""
        return MARGIN

    @property
    def right(self) -> int:
        return self.width - MARGIN

    @property
    def axis(self) -> int:
        """How far down the axis stands."""
        return LINE * len(self.lines)

    @property
    def height(self) -> int:
        return self.axis + AXIS


def strip(lines: Sequence[Line]) -> Strip | None:
    """The lines that have values, laid out; None where there are none."""
    filled = [line for line in lines if line.values]
    if not filled:
        return None
    bounds = [
        abs(one) for line in filled for one in (*line.values, line.mean or 0.0, line.low or 0.0, line.high or 0.0)
    ]
    end = max(bounds) or 1.0
    drawn = tuple(_drawn(line, number, end) for number, line in enumerate(filled))
    return Strip(drawn, end)


def _drawn(line: Line, number: int, end: float) -> Drawn:
    def place(value: float | None) -> float | None:
        return None if value is None else round(WIDTH / 2 + value / end * (WIDTH / 2 - MARGIN), 1)

    dots = tuple(at for at in map(place, line.values) if at is not None)
    return Drawn(line.title, LINE * number + 24, dots, place(line.mean), place(line.low), place(line.high))
