"""Figures 4 and 8 to 10 of BBQ: bias scores of a category by label, and by stereotyped value or by what differs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from plumbline.methods.bbq.board import Cell, cell
from plumbline.methods.bbq.variants import BY_CODE, SCORES, Figures
from plumbline.results.summary import measures, of_run
from plumbline.spec.measure import Measure

MANY_LABELS = 40
ACROSS = {"attribute": "stereotyped value", "group_b": "what the other person differs in"}
"""The meaning of a heatmap's columns, by the label of a measure that holds them."""


@dataclass(frozen=True, slots=True)
class Line:
    """A label (empty: all together) with its cells; None if no template joins the two."""

    label: str
    cells: tuple[Cell | None, ...]


@dataclass(frozen=True, slots=True)
class Heatmap:
    """A heatmap whose first column and last line are over all."""

    across: str
    columns: tuple[str, ...]
    lines: tuple[Line, ...]

    @property
    def title(self) -> str:
        return ACROSS[self.across]


def read(run: int, category: str, statistic: str) -> Figures:
    return Figures(measures(of_run(run, statistic).filter(category=category, template="")))


def heatmaps(found: Sequence[Figures], category: str, statistic: str, *, flagged: bool, coded: bool) -> list[Heatmap]:
    """Return the heatmaps of the runs; of two runs the means.

    `coded`: by group code, if that joins several labels.
    """
    return [one for name in ACROSS if (one := _heatmap(found, category, statistic, name, flagged, coded)) is not None]


def _heatmap(
    found: Sequence[Figures], category: str, statistic: str, across: str, flagged: bool, coded: bool
) -> Heatmap | None:
    rule = BY_CODE if coded else ""
    every = [one for figures in found for one in figures.of_rule(rule)]
    joined = [one for one in every if one.group_a and getattr(one, across)]
    columns, labels = (sorted({getattr(one, name) for one in joined}) for name in (across, "group_a"))
    if not columns or not labels:
        return None

    def at(label: str, column: str) -> Cell | None:
        by = rule if label else ""
        about = {"condition": SCORES[statistic], "category": category, "group_a": label, across: column}
        one = averaged([figures.find(statistic, about, by, flagged=flagged) for figures in found])
        return cell(one, SCORES[statistic]) if one else None

    lines = [Line(label, tuple(at(label, column) for column in ("", *columns))) for label in (*labels, "")]
    return Heatmap(across, tuple(columns), tuple(lines))


def averaged(found: Sequence[Measure | None]) -> Measure | None:
    """Return one measure as it is; of several the mean, without an interval: they share their templates."""
    there = [one for one in found if one is not None]
    if len(found) < 2 or not there:
        return there[0] if there else None
    values = [one.value for one in there if one.value is not None]
    bare = replace(there[0], value=None, ci_low=None, ci_high=None, p_value=None, q_value=None)
    if len(values) < len(found):
        return replace(bare, reason="not defined in every run")
    n = sum(one.n for one in there)
    return replace(bare, value=sum(values) / len(values), n=n, reason=f"mean of {len(found)} runs: no interval")


def categories(run: int) -> list[str]:
    """Return the categories with bias scores in the run."""
    found = of_run(run, *SCORES).filter(template="", attribute="", group_a="", group_b="").exclude(category="")
    return list(found.order_by("category").values_list("category", flat=True).distinct())


def has_codes(figures: Figures) -> bool:
    return any(one.group_b or one.attribute for one in figures.of_rule(BY_CODE))


def has_many_labels(figures: Figures) -> bool:
    """Return whether there are too many labels to compare them before group codes."""
    return len({one.group_a for one in figures.of_rule("")}) > MANY_LABELS
