"""The geometry that all charts share: frames, scales from values to pixels, ends of axes, ticks and bars."""

import math
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

ROUND_STEPS = (1, 2, 5, 10)
"""The steps between round numbers, times a power of ten."""
TENTH = 1
"""The digits after the decimal point of a pixel position: tenths of a pixel."""


@dataclass(frozen=True, slots=True)
class Tick:
    """A number at an axis with its position in pixels."""

    at: float
    value: float


@dataclass(frozen=True, slots=True)
class Dot:
    """An estimate in pixels. `low` and `high` are None without an interval."""

    at: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale from the value `least` at the pixel `start` to `most` at `stop`.

    With `is_cut`, values beyond an end are placed at that end.
    """

    least: float
    most: float
    start: float
    stop: float
    is_cut: bool = False

    @property
    def middle(self) -> float:
        """The pixel half-way between the ends."""
        return (self.start + self.stop) / 2

    def at(self, value: float) -> float:
        share = (value - self.least) / (self.most - self.least)
        kept = min(1.0, max(0.0, share)) if self.is_cut else share
        return round(self.start + kept * (self.stop - self.start), TENTH)

    def place(self, value: float | None) -> float | None:
        return None if value is None else self.at(value)

    def dot(self, value: float | None, low: float | None, high: float | None) -> Dot | None:
        """Return the estimate in pixels, None without a value. Without both bounds it has no interval."""
        if value is None:
            return None
        return Dot(self.at(value)) if low is None or high is None else Dot(self.at(value), self.at(low), self.at(high))

    def ticks(self, values: Iterable[float]) -> tuple[Tick, ...]:
        return tuple(Tick(self.at(value), value) for value in values)

    def even_ticks(self, count: int) -> tuple[Tick, ...]:
        """Return ticks at equal distances, with the outer ones at the ends."""
        return self.ticks(np.linspace(self.least, self.most, count).tolist())


@dataclass(frozen=True, slots=True)
class Frame:
    """The size of a drawing, and the edges of the box that its axes span, in pixels; `top` is above `bottom`."""

    width: int
    height: int
    left: float
    right: float
    top: float
    bottom: float

    def across(self, least: float, most: float) -> Scale:
        return Scale(least, most, self.left, self.right)

    def upward(self, least: float, most: float) -> Scale:
        return Scale(least, most, self.bottom, self.top)

    def columns(self, count: int) -> list[float]:
        """Return the middles of columns of equal width, from the left."""
        step = (self.right - self.left) / max(1, count)
        return [round(self.left + step * (place + 0.5), TENTH) for place in range(count)]


@dataclass(frozen=True, slots=True)
class Margins:
    left: float
    right: float
    top: float
    bottom: float

    def frame(self, width: int, height: int) -> Frame:
        return Frame(width, height, self.left, width - self.right, self.top, height - self.bottom)


def farthest(values: Iterable[float | None]) -> float:
    """Return the end of an axis that is symmetric around zero: the largest absolute value, or 1 if all are zero."""
    return max((abs(value) for value in values if value is not None), default=0.0) or 1.0


def roomy(values: Sequence[float]) -> tuple[float, float]:
    """Return limits slightly beyond the values, so that no point is on an axis.

    Values that are equal, or that floating point can hardly tell apart, get a range around them.
    """
    least, most = min(values), max(values)
    largest = max(abs(least), abs(most))
    room = 0.06 * (most - least) if most - least > 1e-9 * largest else 0.1 * largest or 0.1
    return least - room, most + room


def round_figures(values: Iterable[float], parts: int) -> list[float]:
    """Return round numbers from below all values to above them, in about `parts` steps. Zero is one of them."""
    known = [0.0, *values]
    low, high = min(known), max(known)
    if high - low < sys.float_info.min * parts:  # no range, or one without a logarithm
        low, high = -1.0, 1.0
    rough = (high - low) / parts
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * one for one in ROUND_STEPS if power * one >= rough * 0.999)
    return [mark * step for mark in range(math.floor(low / step), math.ceil(high / step) + 1)]


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar from the middle of a drawing that is 100 wide, to the right above zero and to the left below it."""

    left: float
    width: float


def bar(value: float | None, end: float) -> Bar:
    """Return the bar of a value. At `end` it is half as wide as the drawing, which is its maximum."""
    width = min(50.0, 50 * abs(value or 0.0) / end)
    return Bar(50.0 if (value or 0.0) > 0 else 50 - width, width)
