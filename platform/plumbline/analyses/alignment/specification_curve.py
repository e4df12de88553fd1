"""The specification curve: the tau of each choice of templates, the best on the pilot at the left."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.analyses.alignment.tables import Candidate
from plumbline.pages.charts.geometry import Frame, Margins, Tick, farthest

FRAME = Margins(left=60, right=16, top=16, bottom=28).frame(880, 240)
TICKS = 5


@dataclass(frozen=True, slots=True)
class Point:
    """One candidate in pixels. A place is None if its tau is not defined."""

    candidate: Candidate
    x: float
    pilot: float | None
    held_out: float | None


@dataclass(frozen=True, slots=True)
class Curve:
    points: tuple[Point, ...]
    ticks: tuple[Tick, ...]
    frame: Frame = FRAME


def curve(candidates: Sequence[Candidate]) -> Curve | None:
    """Return the curve, or None with fewer than two candidates or without any tau. The axis is symmetric around 0."""
    values = [
        measure.value
        for one in candidates
        for measure in (one.pilot, one.held_out)
        if measure is not None and measure.value is not None
    ]
    if len(candidates) < 2 or not values:
        return None
    end = farthest(values)
    scale = FRAME.upward(-end, end)
    points = tuple(
        Point(one, x, scale.place(one.pilot.value), scale.place(one.held_out.value if one.held_out else None))
        for x, one in zip(FRAME.columns(len(candidates)), candidates, strict=True)
    )
    return Curve(points, scale.even_ticks(TICKS))
