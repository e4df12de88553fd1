"""Figure 2 of BBQ: the accuracy that is lost where the right answer goes against the stereotype, as dots."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from plumbline.methods.bbq.board import POOLED
from plumbline.pages.charts.series_markers import SHAPES
from plumbline.spec.measure import Measure

LABEL, PANEL, LINE, STEP, HEAD, FOOT = 200, 520, 20, 14, 12, 44
WIDTH = LABEL + PANEL + 24


@dataclass(frozen=True, slots=True)
class Dot:
    """A dot in pixels, with the number of its run. An unknown interval is not drawn."""

    x: float
    y: float
    low: float | None
    high: float | None
    series: int
    shape: str
    measure: Measure


@dataclass(frozen=True, slots=True)
class Band:
    """A category's dots. `missing` is the reason why there are none."""

    category: str
    y: float
    dots: tuple[Dot, ...]
    missing: str
    line: float


@dataclass(frozen=True, slots=True)
class Drawing:
    """All bands on one axis, symmetric around zero from -`end` to +`end`."""

    bands: tuple[Band, ...]
    end: float
    height: float
    left: int = LABEL
    right: int = LABEL + PANEL
    width: int = WIDTH

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    @property
    def least(self) -> float:
        return -self.end

    @property
    def top(self) -> int:
        return HEAD

    @property
    def bottom(self) -> float:
        return self.height - FOOT


Costs = Mapping[str, Sequence[Measure | None]]
"""Costs by category (empty: the whole), of each run in turn."""


def drawing(costs: Costs) -> Drawing | None:
    """Return the drawing; None if no run has a cost."""
    known = [one for own in costs.values() for one in own if one and one.value is not None]
    if not known:
        return None
    end = _end(known)
    bands, y = [], float(HEAD)
    for category, own in costs.items():
        height = LINE + STEP * (len(own) - 1)
        bands.append(_band(category or POOLED, own, y, height, end))
        y += height + 6
    return Drawing(tuple(bands), end, y + FOOT)


def _end(known: Sequence[Measure]) -> float:
    """Return the farthest end of an interval, rounded up to a tenth."""
    ends = [abs(one) for measure in known for one in (measure.value, measure.ci_low, measure.ci_high) if one]
    return min(1.0, math.ceil(max(ends, default=0.1) * 10 - 1e-9) / 10)


def _band(category: str, own: Sequence[Measure | None], y: float, height: float, end: float) -> Band:
    dots = [_dot(one, y + LINE / 2 + STEP * place, place, end) for place, one in enumerate(own)]
    reason = next((one.reason for one in own if one and one.value is None), "not asked")
    there = tuple(dot for dot in dots if dot)
    return Band(category, y + height / 2, there, "" if there else reason, y + height + 3)


def _dot(one: Measure | None, y: float, series: int, end: float) -> Dot | None:
    def at(value: float | None) -> float | None:
        share = None if value is None else min(1.0, max(-1.0, value / end))
        return None if share is None else round(LABEL + PANEL / 2 * (1 + share), 1)

    if one is None or one.value is None:
        return None
    place = at(one.value)
    return Dot(
        place or 0.0, y, at(one.ci_low), at(one.ci_high), series % len(SHAPES), SHAPES[series % len(SHAPES)], one
    )
