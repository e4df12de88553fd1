"""Figures 3, 4 and 8 to 10 as complete pictures: boards and heatmaps, in pixels."""

from collections.abc import Sequence
from dataclasses import dataclass

from plumbline.audits.models import Run
from plumbline.methods.bbq.board import Cell, depth
from plumbline.methods.bbq.labels import Heatmap
from plumbline.methods.bbq.run_comparison import Row, Side
from plumbline.methods.bbq.variants import SCORES
from plumbline.spec.numbers import count, number, with_interval

LABEL, CELL, LINE, HEAD = 190, 208, 40, 48
DEEPEST, PALE = 0.6, 2.5
"""The opacity of a score of 1 or -1, and the factor by which scores that are not significant are paler."""


@dataclass(frozen=True, slots=True)
class Square:
    """A cell in pixels. `side` is more, less, hatched or nothing."""

    x: float
    y: float
    side: str
    opacity: float
    outlined: bool
    text: str
    below: str


@dataclass(frozen=True, slots=True)
class Picture:
    titles: tuple[tuple[float, str, str], ...]
    labels: tuple[tuple[float, str], ...]
    squares: tuple[Square, ...]
    width: float
    height: float
    cell: int = CELL
    line: int = LINE


def picture(sides: Sequence[Side], rows: Sequence[Row]) -> Picture:
    """Return a picture with a column for each context and run, contexts apart. Means of runs are left out."""
    names = [(condition, f"run {side.run.pk}") for condition in SCORES.values() for side in sides]
    titles = tuple((_x(place, len(sides)), *name) for place, name in enumerate(names))
    labels = tuple((HEAD + LINE * place + LINE / 2, row.title) for place, row in enumerate(rows))
    squares = [
        _square(cell, _x(column, len(sides)), HEAD + LINE * place)
        for place, row in enumerate(rows)
        for column, cell in enumerate(_of_runs(row))
    ]
    return Picture(titles, labels, tuple(squares), _x(len(names), len(sides)) + 16, HEAD + LINE * len(rows))


def of_heatmap(one: Heatmap) -> Picture:
    """Return a picture with a column a value, the one over all first, and a line a label, all together last."""
    titles = tuple((_x(place), name, "") for place, name in enumerate(("all", *one.columns)))
    labels = tuple((HEAD + LINE * place + LINE / 2, line.label or "All labels") for place, line in enumerate(one.lines))
    squares = [
        _square(cell, _x(column), HEAD + LINE * place)
        for place, line in enumerate(one.lines)
        for column, cell in enumerate(line.cells)
        if cell is not None
    ]
    return Picture(titles, labels, tuple(squares), _x(len(titles)) + 16, HEAD + LINE * len(one.lines))


def _of_runs(row: Row) -> list[Cell]:
    found: list[tuple[Run | None, Cell]] = [pair for half in row.scores for pair in half]
    return [cell for run, cell in found if run is not None]


def _x(column: int, apart: int | None = None) -> float:
    """Return the place of a column. Columns from `apart` on have a gap before them."""
    return LABEL + CELL * column + 16 * (apart is not None and column >= apart)


def _square(cell: Cell, x: float, y: float) -> Square:
    one = cell.measure
    if one is None:
        return Square(x, y, "", 0.0, False, "", "")
    below = f"n = {count(one.n)}, {one.n_units} template{'' if one.n_units == 1 else 's'}"
    if one.value is None:
        return Square(x, y, "hatched", 1.0, False, "not defined", below)
    outlined = "outlined" in cell.classes
    opacity = DEEPEST * depth(one.value) / 10 / (1 if outlined else PALE) if one.value else 0.0
    side = "more" if one.value > 0 else "less" if one.value < 0 else ""
    value = number(one.value) if one.ci_low is None else with_interval(one)
    return Square(x, y, side, opacity, outlined, f"{cell.mark} {value}".strip(), below)
