"""Boards of several runs as one table: their scores side by side, and of two runs the mean."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from plumbline.audits.models import Run
from plumbline.methods.bbq.board import MEANS, POOLED, Cell, Chosen, accuracy, cell
from plumbline.methods.bbq.labels import averaged
from plumbline.methods.bbq.variants import MEAN, SCORES, Figures
from plumbline.pages.charts.series_markers import SHAPES
from plumbline.spec.measure import Measure

LAYOUT = "layout"
Found = Sequence[tuple[Run, Figures]]


@dataclass(frozen=True, slots=True)
class Side:
    """A run as the head of its columns: its choices in place of defaults, and its sign in the drawing."""

    run: Run
    variant: str
    shape: str
    number: int


@dataclass(frozen=True, slots=True)
class Row:
    """A category, or an aggregate. By context the cells and accuracies of each run, and the mean last if chosen."""

    title: str
    category: str
    scores: tuple[tuple[tuple[Run | None, Cell], ...], ...]
    """Scores with their runs; the mean has none."""
    accuracies: tuple[tuple[Measure | None, ...], ...]


def sides(runs: Sequence[Run], every: Sequence[Figures]) -> list[Side]:
    return [
        Side(run, figures.own, SHAPES[place % len(SHAPES)], place % len(SHAPES))
        for place, (run, figures) in enumerate(zip(runs, every, strict=True))
    ]


def has_mean(runs: Sequence[Run], *, asked: bool) -> bool:
    """Return whether the two runs have a mean: one model in two layouts, as in Figure 4, or a reader's pair."""
    if len(runs) != 2:
        return False
    one, other = runs
    layouts = {(run.spec.get("params") or {}).get(LAYOUT, "race") for run in runs}
    return asked or (one.model == other.model and len(layouts) == 2)


def rows(runs: Sequence[Run], every: Sequence[Figures], chosen: Chosen, *, mean: bool) -> list[Row]:
    """Return the categories of any run, in the chosen order of the first run's scores, then the aggregates."""
    categories = sorted({category for figures in every for category in figures.categories()})
    found_in = list(zip(runs, every, strict=True))
    found = [_row(found_in, chosen, category, category, mean) for category in categories]
    if chosen.order in SCORES.values():
        place = list(SCORES.values()).index(chosen.order)
        found.sort(key=lambda row: row.scores[place][0][1].rank)
    whole = [_row(found_in, chosen, POOLED, "", mean)]
    if not chosen.rule:
        whole.append(_row(found_in, replace(chosen, rule=MEAN), MEANS, "", mean))
    return [*found, *whole]


def _row(found_in: Found, chosen: Chosen, title: str, category: str, mean: bool) -> Row:
    scores, accuracies = [], []
    for statistic, condition in SCORES.items():
        about = {"condition": condition, "category": category}
        found = [of.find(statistic, about, chosen.rule, flagged=chosen.flagged) for _, of in found_in]
        right = [accuracy(of, chosen, category, condition) for _, of in found_in]
        cells: list[tuple[Run | None, Cell]] = [
            (run, cell(one, condition)) for (run, _), one in zip(found_in, found, strict=True)
        ]
        scores.append((*cells, *([(None, cell(averaged(found), condition))] if mean else [])))
        accuracies.append((*right, *([averaged(right)] if mean else [])))
    return Row(title, category, tuple(scores), tuple(accuracies))
