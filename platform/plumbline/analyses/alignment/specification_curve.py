"""The specification curve: the tau of each choice of templates, the best on the pilot to the left."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.analyses.alignment.tables import Candidate

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 880, 240, 60, 16, 16, 28
TICKS = 5


@dataclass(frozen=True, slots=True)
class Point:
    """One candidate in pixels; a place is None where its tau is not defined."""

    candidate: Candidate
    x: float
    pilot: float | None
    held_out: float | None


@dataclass(frozen=True, slots=True)
class Tick:
    y: float
    value: float


@dataclass(frozen=True, slots=True)
class Curve:
    points: tuple[Point, ...]
    ticks: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    top: int = TOP
    bottom: int = HEIGHT - BOTTOM


def curve(candidates: Sequence[Candidate]) -> Curve | None:
    """None without two candidates of which any has a tau. The axis is symmetric around 0."""
    values = [
        measure.value
        for one in candidates
        for measure in (one.pilot, one.held_out)
        if measure is not None and measure.value is not None
    ]
    if len(candidates) < 2 or not values:
        return None
    end = max(abs(value) for value in values) or 1.0
    step = (WIDTH - LEFT - RIGHT) / len(candidates)

    def y(value: float | None) -> float | None:
        middle, half = (TOP + HEIGHT - BOTTOM) / 2, (HEIGHT - BOTTOM - TOP) / 2
        return None if value is None else round(middle - value / end * half, 1)

    points = tuple(
        Point(
            one,
            round(LEFT + (place + 0.5) * step, 1),
            y(one.pilot.value),
            y(one.held_out.value if one.held_out else None),
        )
        for place, one in enumerate(candidates)
    )
    values = [end * (2 * place / (TICKS - 1) - 1) for place in range(TICKS)]
    return Curve(points, tuple(Tick(at, value) for value in values if (at := y(value)) is not None))
