"""The geometry of a scatter plot."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from plumbline.pages.charts.geometry import Frame, Margins, Tick, roomy

WIDTH, HEIGHT = 560, 320
MARGINS = Margins(left=64, right=16, top=12, bottom=44)
"""The left and the bottom margin hold the numbers of the axes."""
TICKS = 3


@dataclass(frozen=True, slots=True)
class Point:
    """One point in the units of its values or, in a Scatter, in pixels. `kind` selects its shape."""

    x: float
    y: float
    kind: str
    title: str


@dataclass(frozen=True, slots=True)
class Scatter:
    frame: Frame
    points: tuple[Point, ...]
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    zero: float | None
    """The position of x = 0 if it is inside the plot."""


def scatter(points: Sequence[Point], width: int = WIDTH) -> Scatter | None:
    """Return the points in pixels in a plot of this width, or None with fewer than two points."""
    if len(points) < 2:
        return None
    frame = MARGINS.frame(width, HEIGHT)
    across = frame.across(*roomy([one.x for one in points]))
    up = frame.upward(*roomy([one.y for one in points]))
    return Scatter(
        frame=frame,
        points=tuple(replace(one, x=across.at(one.x), y=up.at(one.y)) for one in points),
        across=across.even_ticks(TICKS),
        up=up.even_ticks(TICKS),
        zero=across.at(0.0) if across.least < 0 < across.most else None,
    )
