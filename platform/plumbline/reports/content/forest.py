"""A chart of estimates with intervals, one below the other, as positions in pixels and a text that replaces it."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.pages.charts.geometry import Dot, Scale, Tick, round_figures
from plumbline.spec.measure import Measure
from plumbline.spec.numbers import number, with_interval

WIDTH, LABELS, LINE, TOP, BOTTOM = 640, 250, 20, 8, 24
FEWEST, MOST, LONGEST = 2, 24, 38
PARTS = 4


@dataclass(frozen=True, slots=True)
class Line:
    """One estimate: its shortened label, its place from the top, and its dot. `is_present` is drawn filled."""

    label: str
    y: int
    dot: Dot
    is_present: bool


@dataclass(frozen=True, slots=True)
class Forest:
    lines: tuple[Line, ...]
    ticks: tuple[Tick, ...]
    null: float | None
    alt: str
    width: int = WIDTH
    left: int = LABELS

    @property
    def axis(self) -> int:
        return TOP + LINE * len(self.lines)

    @property
    def height(self) -> int:
        return self.axis + BOTTOM

    @property
    def right(self) -> int:
        return self.width - 16


def forest(title: str, rows: Sequence[tuple[str, Measure]], null: float | None) -> Forest | None:
    """Return the chart of the first MOST rows with an interval, or None if there are fewer than FEWEST."""
    drawn = [(label, one) for label, one in rows if None not in (one.value, one.ci_low, one.ci_high)][:MOST]
    if len(drawn) < FEWEST:
        return None
    limits = [limit for _, one in drawn for limit in (one.value, one.ci_low, one.ci_high) if limit is not None]
    marks = round_figures([*limits, *([null] if null is not None else [])], PARTS)
    scale = Scale(marks[0], marks[-1], LABELS, WIDTH - 16)
    lines = tuple(filter(None, (_line(place, *row, scale) for place, row in enumerate(drawn))))
    ticks = tuple(Tick(scale.at(mark), mark) for mark in marks)
    return Forest(lines, ticks, scale.place(null), _alt(title, drawn))


def _line(place: int, label: str, one: Measure, scale: Scale) -> Line | None:
    dot = scale.dot(one.value, one.ci_low, one.ci_high)
    short = label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}\u2026"
    return Line(short, TOP + LINE * place + LINE // 2, dot, one.verdict == "present") if dot else None


def _alt(title: str, drawn: Sequence[tuple[str, Measure]]) -> str:
    """Return the text of the chart for people who do not see it. The table below it has all figures."""
    values = [one.value or 0.0 for _, one in drawn]
    largest = max(drawn, key=lambda row: abs(row[1].value or 0.0))
    return (
        f"{title}: {len(drawn)} estimates with their intervals, from {number(min(values))} to {number(max(values))}."
        f" The one farthest from zero is {largest[0]}: {with_interval(largest[1])}. The table below has the figures."
    )
