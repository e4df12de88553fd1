"""The geometry of a measure over audits: each audit is a point with its interval. The template draws it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import starmap

from plumbline.pages.charts.geometry import Frame, Margins, Tick, round_figures
from plumbline.spec.measure import Measure

PARTS = 4
LABEL_WIDTH = 88
MARGINS = Margins(left=52.0, right=12.0, top=10.0, bottom=26.0)
SLIM = Margins(left=3.0, right=3.0, top=3.0, bottom=3.0)


@dataclass(frozen=True, slots=True)
class Audit:
    """One audit: its label below the axis, its run, and its measure, if any."""

    run: int
    label: str
    measure: Measure | None
    is_baseline: bool = False
    asked_otherwise: bool = False
    """Whether it asked other words, groups or settings than the audit before: a line must not join them."""


@dataclass(frozen=True, slots=True)
class Dot:
    """An audit's point in pixels. `y` is None without a value, `low` and `high` without an interval."""

    audit: Audit
    x: float
    y: float | None
    low: float | None
    high: float | None
    named: bool


@dataclass(frozen=True, slots=True)
class Chart:
    frame: Frame
    zero: float
    dots: tuple[Dot, ...]
    ticks: tuple[Tick, ...]

    @property
    def baseline(self) -> Dot | None:
        """The point of the baseline, if it is drawn and has a value."""
        return next((dot for dot in self.dots if dot.audit.is_baseline and dot.y is not None), None)

    @property
    def paths(self) -> list[str]:
        """The points of each line, through audits that have a value and were asked alike."""
        found: list[list[str]] = [[]]
        for dot in self.dots:
            if dot.audit.asked_otherwise:
                found.append([])
            if dot.y is not None:
                found[-1].append(f"{dot.x:.1f},{dot.y:.1f}")
        return [" ".join(points) for points in found if points]


def chart(audits: Sequence[Audit], width: int = 720, height: int = 220, *, slim: bool = False) -> Chart:
    """Lay out audits from left to right in order, on an axis that includes all intervals and zero.

    Where all labels are the same, such as one day, the numbers of the runs tell the audits apart.
    """
    if len(audits) > 1 and len({audit.label for audit in audits}) == 1:
        audits = [replace(audit, label=f"run {audit.run}") for audit in audits]
    frame = (SLIM if slim else MARGINS).frame(width, height)
    marks = round_figures((value for audit in audits for value in _values(audit) if value is not None), PARTS)
    scale = frame.upward(marks[0], marks[-1])
    every = math.ceil(len(audits) / max(1, (frame.right - frame.left) // LABEL_WIDTH))

    def dot(place: int, audit: Audit, x: float) -> Dot:
        value, low, high = map(scale.place, _values(audit))
        return Dot(audit, x=x, y=value, low=low, high=high, named=(len(audits) - 1 - place) % every == 0)

    places = zip(range(len(audits)), audits, frame.columns(len(audits)), strict=True)
    return Chart(frame, scale.at(0.0), tuple(starmap(dot, places)), scale.ticks(marks))


def _values(audit: Audit) -> tuple[float | None, float | None, float | None]:
    one = audit.measure
    return (None, None, None) if one is None or one.value is None else (one.value, one.ci_low, one.ci_high)
