"""A profile drawn: a row a pair of opposites, the model's score and people's mean each in a panel of its own."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.analyses.alignment.profiles import Row, by_dimension

LABEL, PANEL, GAP, LINE, HEAD, FOOT = 140, 276, 56, 26, 24, 40
WIDTH = 2 * LABEL + 2 * PANEL + GAP
SHAPES = ("circle", "square", "diamond")


@dataclass(frozen=True, slots=True)
class Dot:
    """In pixels; a bar without `low` and `high` is not drawn."""

    x: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class Line:
    row: Row
    y: float
    shape: str
    model: Dot | None
    people: Dot | None


@dataclass(frozen=True, slots=True)
class Band:
    """A dimension: where its name stands, and its shape, which tells it without colour."""

    name: str
    y: float
    shape: str


@dataclass(frozen=True, slots=True)
class Axis:
    """One panel: its ends and middle in pixels and in its unit."""

    left: float
    right: float
    least: float
    most: float

    @property
    def middle(self) -> float:
        return (self.left + self.right) / 2

    def at(self, value: float) -> float:
        share = (value - self.least) / (self.most - self.least)
        return round(self.left + min(1.0, max(0.0, share)) * (self.right - self.left), 1)


@dataclass(frozen=True, slots=True)
class Profile:
    bands: tuple[Band, ...]
    lines: tuple[Line, ...]
    model: Axis
    people: Axis
    height: float
    width: int = WIDTH
    top: int = HEAD

    @property
    def bottom(self) -> float:
        return self.height - FOOT

    @property
    def label_left(self) -> float:
        return self.model.left - 14

    @property
    def label_right(self) -> float:
        return self.people.right + 14


def profile(rows: Sequence[Row], end: float) -> Profile:
    """Laid out; the model's axis runs from -`end` to `end`, people's from 0 to 100. Bars are cut at a panel's edge."""
    model = Axis(LABEL, LABEL + PANEL, -end, end)
    people = Axis(LABEL + PANEL + GAP, LABEL + 2 * PANEL + GAP, 0, 100)
    bands, lines, y = [], [], float(HEAD)
    for place, (name, own) in enumerate(by_dimension(rows)):
        shape = SHAPES[place % len(SHAPES)]
        bands.append(Band(name, y + 18, shape))
        y += LINE
        for row in own:
            lines.append(Line(row, y + LINE / 2, shape, _of_model(row, model), _of_people(row, people)))
            y += LINE
    return Profile(tuple(bands), tuple(lines), model, people, y + FOOT)


def _of_model(row: Row, axis: Axis) -> Dot | None:
    one = row.measure
    if one.value is None:
        return None
    if one.ci_low is None or one.ci_high is None:
        return Dot(axis.at(one.value), None, None)
    return Dot(axis.at(one.value), axis.at(one.ci_low), axis.at(one.ci_high))


def _of_people(row: Row, axis: Axis) -> Dot | None:
    if row.people is None or row.people.mean is None:
        return None
    mean, sd = row.people.mean, row.people.sd or 0.0
    return Dot(axis.at(mean), axis.at(mean - sd), axis.at(mean + sd))
