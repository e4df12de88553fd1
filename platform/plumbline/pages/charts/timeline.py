"""Drawing a measure over audits: each audit a point with its interval. Pure geometry; the template draws it."""

import math
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.spec.measure import Measure
from plumbline.spec.numbers import number

TICKS = 4
LABEL_WIDTH = 88
MARGIN = {"left": 52.0, "right": 12.0, "top": 10.0, "bottom": 26.0}
SLIM = {"left": 3.0, "right": 3.0, "top": 3.0, "bottom": 3.0}


@dataclass(frozen=True, slots=True)
class Audit:
    """One audit: what names it below the axis, where it leads, and its measure; None where it has none."""

    run: int
    label: str
    measure: Measure | None
    is_baseline: bool = False


@dataclass(frozen=True, slots=True)
class Dot:
    """Where an audit stands. `y` is None for one without a value; `low` and `high` for one without an interval."""

    audit: Audit
    x: float
    y: float | None
    low: float | None
    high: float | None
    named: bool


@dataclass(frozen=True, slots=True)
class Tick:
    y: float
    label: str


@dataclass(frozen=True, slots=True)
class Chart:
    width: int
    height: int
    left: float
    right: float
    top: float
    bottom: float
    zero: float
    dots: tuple[Dot, ...]
    ticks: tuple[Tick, ...]

    @property
    def baseline(self) -> Dot | None:
        """The audit that the others are held against, where it is drawn and has a value."""
        return next((dot for dot in self.dots if dot.audit.is_baseline and dot.y is not None), None)

    @property
    def path(self) -> str:
        """The points of a line through the audits that have a value."""
        return " ".join(f"{dot.x:.1f},{dot.y:.1f}" for dot in self.dots if dot.y is not None)


def chart(audits: Sequence[Audit], width: int = 720, height: int = 220, *, slim: bool = False) -> Chart:
    """Lay out audits from left to right in their order, on an axis that holds all intervals and zero."""
    margin = SLIM if slim else MARGIN
    left, right, top, bottom = margin["left"], width - margin["right"], margin["top"], height - margin["bottom"]
    marks = _marks(audits)
    lowest, highest = marks[0], marks[-1]

    def down(value: float | None) -> float | None:
        return None if value is None else round(bottom - (value - lowest) / (highest - lowest) * (bottom - top), 1)

    step = (right - left) / max(1, len(audits))
    every = math.ceil(len(audits) / max(1, (right - left) // LABEL_WIDTH))

    def dot(place: int, audit: Audit) -> Dot:
        value, low, high = map(down, _values(audit))
        named = (len(audits) - 1 - place) % every == 0
        return Dot(audit, x=round(left + step * (place + 0.5), 1), y=value, low=low, high=high, named=named)

    return Chart(
        width=width,
        height=height,
        left=left,
        right=right,
        top=top,
        bottom=bottom,
        zero=down(0.0) or 0.0,
        dots=tuple(dot(place, audit) for place, audit in enumerate(audits)),
        ticks=tuple(Tick(down(mark) or 0.0, number(mark) if mark else "0") for mark in marks),
    )


def _values(audit: Audit) -> tuple[float | None, float | None, float | None]:
    one = audit.measure
    return (None, None, None) if one is None or one.value is None else (one.value, one.ci_low, one.ci_high)


def _marks(audits: Sequence[Audit]) -> list[float]:
    """Round figures from below all that is drawn to above it; zero is one of them."""
    drawn = [0.0, *(value for audit in audits for value in _values(audit) if value is not None)]
    low, high = min(drawn), max(drawn)
    if high - low < sys.float_info.min * TICKS:  # nothing, or what has no logarithm
        low, high = -1.0, 1.0
    rough = (high - low) / TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * round_one for round_one in (1, 2, 5, 10) if power * round_one >= rough * 0.999)
    return [mark * step for mark in range(math.floor(low / step), math.ceil(high / step) + 1)]
