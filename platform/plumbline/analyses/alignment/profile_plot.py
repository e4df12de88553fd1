"""The geometry of a profile: one row per pair of opposites, with one panel for the model and one for people."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.analyses.alignment.profiles import Row, by_dimension
from plumbline.pages.charts.geometry import Dot, Scale

LABEL, PANEL, GAP, LINE, HEAD, FOOT = 140, 276, 56, 26, 24, 40
WIDTH = 2 * LABEL + 2 * PANEL + GAP
SHAPES = ("circle", "square", "diamond")


@dataclass(frozen=True, slots=True)
class Line:
    row: Row
    y: float
    shape: str
    model: Dot | None
    people: Dot | None


@dataclass(frozen=True, slots=True)
class Band:
    """A dimension: the place of its name, and its shape, which identifies it without colour."""

    name: str
    y: float
    shape: str


@dataclass(frozen=True, slots=True)
class Profile:
    bands: tuple[Band, ...]
    lines: tuple[Line, ...]
    model: Scale
    people: Scale
    height: float
    width: int = WIDTH
    top: int = HEAD

    @property
    def bottom(self) -> float:
        return self.height - FOOT

    @property
    def label_left(self) -> float:
        return self.model.start - 14

    @property
    def label_right(self) -> float:
        return self.people.stop + 14


def profile(rows: Sequence[Row], end: float) -> Profile:
    """Lay out the rows.

    The model's axis runs from -`end` to `end`, people's from 0 to 100. Bars end at the panel's edge.
    """
    model = Scale(-end, end, LABEL, LABEL + PANEL, is_cut=True)
    people = Scale(0, 100, LABEL + PANEL + GAP, LABEL + 2 * PANEL + GAP, is_cut=True)
    bands, lines, y = [], [], float(HEAD)
    for place, (name, own) in enumerate(by_dimension(rows)):
        shape = SHAPES[place % len(SHAPES)]
        bands.append(Band(name, y + 18, shape))
        y += LINE
        for row in own:
            one = row.measure
            dot = model.dot(one.value, one.ci_low, one.ci_high)
            lines.append(Line(row, y + LINE / 2, shape, dot, _of_people(row, people)))
            y += LINE
    return Profile(tuple(bands), tuple(lines), model, people, y + FOOT)


def _of_people(row: Row, axis: Scale) -> Dot | None:
    if row.people is None or row.people.mean is None:
        return None
    mean, sd = row.people.mean, row.people.sd or 0.0
    return axis.dot(mean, mean - sd, mean + sd)
