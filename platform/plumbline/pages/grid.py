"""The explorer's grid as data: the statistics that it can show, and their cells as compact arrays."""

import csv
import io
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from plumbline.pages import titles
from plumbline.spec.card import PAIRED_DIFFERENCE, Statistic
from plumbline.spec.registry import PROBES
from plumbline.spec.shared_statistics import EFFECT_SIZE, PAIR_SCORE
from plumbline.spec.verdicts import Verdict
from plumbline.vocab.cells import escape

COLOURED_SHARE = 0.99
"""The share of values within the colour scale. One outlier would otherwise make all others look like zero."""
UNDER_CELLS = {"association", "bridge"}
"""The tables whose records a grid cell can show."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A statistic that a grid can show. `variant` is set if a run may have several."""

    statistic: Statistic
    title: str
    variant: str | None = None


def choices(probe: str, previous: int | None, *, paired: bool = False) -> list[Choice]:
    """Return the statistics of a probe by group and attribute, or none if a cell has no records.

    `previous` is the run that it was compared with. `paired` says whether it also scores pairs of opposites.
    """
    if probe not in PROBES or not UNDER_CELLS & set(PROBES[probe].card.tables):
        return []
    card = PROBES[probe].card
    named = {one.name: one for one in card.statistics}
    named_as = titles.titles(card)
    shown = dict.fromkeys((card.score, card.difference, f"{card.difference}_centred", f"{card.difference}_partial"))
    # An effect size compares whole sets, so it has no cells.
    found = [Choice(named[name], named_as[name]) for name in shown if name in named and name != EFFECT_SIZE.name]
    if paired and PAIR_SCORE.name in named:
        found.append(Choice(card.own(named[PAIR_SCORE.name]), "Right pole minus left pole of each pair"))
    # Comparisons pair the items of two runs. There is none for bridges yet.
    if previous is not None and "association" in card.tables:
        found.append(Choice(card.own(PAIRED_DIFFERENCE), f"Change since run {previous}", f"run:{previous}"))
    return found


def payload(
    cells: pl.DataFrame,
    dimensions: Mapping[str, str] | None = None,
    unreliable: Collection[tuple[str, str]] = (),
) -> dict[str, Any]:
    """Return a grid as arrays, row by row: value, low, high, q, n, present (1 or 0) and the index of the reason.

    Missing numbers are null and reason 0 is none. `cells` come from results.grid.cells. `domain` is the end of the
    colour scale on either side of zero, over all cells, so that filters do not change it. `dimensions` gives the
    attributes' dimensions. Columns of one dimension are adjacent. `unreliable` names the rows whose order of words is
    not reliable, which the browser draws in bands.
    """
    rows, columns = (_labels(cells, names) for names in (("group_a", "group_b"), ("attribute", "category")))
    columns, bands = _banded(columns, dimensions or {})
    place = _places(cells, rows, columns)
    size = rows.height * columns.height
    reasons = ["", *cells["reason"].filter(cells["reason"] != "").unique(maintain_order=True)]
    reason = cells["reason"].replace_strict(reasons, range(len(reasons)), return_dtype=pl.Int32)
    return {
        "rows": [list(row) for row in rows.rows()],
        "columns": [list(column) for column in columns.rows()],
        "dimensions": bands,
        "value": _numbers(_shown(cells["value"]), place, size),
        "low": _numbers(_shown(cells["ci_low"]), place, size),
        "high": _numbers(_shown(cells["ci_high"]), place, size),
        "q": _numbers(cells["q_value"].round_sig_figs(6), place, size),
        "n": _numbers(cells["n"], place, size),
        "reason": _numbers(reason, place, size),
        "reasons": reasons,
        "domain": domain(cells["value"]),
        "unreliable": [row in unreliable for row in rows.rows()],
        "present": _numbers((cells["verdict"] == Verdict.PRESENT).cast(pl.Int32), place, size),
    }


def _labels(cells: pl.DataFrame, names: tuple[str, str]) -> pl.DataFrame:
    """Return the distinct labels in the order of the first cells, which is the spec's order."""
    return cells.select(names).unique(maintain_order=True)


def _banded(columns: pl.DataFrame, dimensions: Mapping[str, str]) -> tuple[pl.DataFrame, list[str]]:
    """Return the columns grouped by dimension in order of first occurrence, and the dimension of each column."""
    own = [dimensions.get(attribute, "") for attribute in columns["attribute"]]
    place = {name: number for number, name in enumerate(dict.fromkeys(own))}
    order = sorted(range(len(own)), key=lambda at: place[own[at]])
    return columns.select(pl.all().gather(order)), [own[at] for at in order]


def _places(cells: pl.DataFrame, rows: pl.DataFrame, columns: pl.DataFrame) -> NDArray[np.int64]:
    """Return each cell's index in arrays of rows x columns, int64 of shape (cells,)."""
    at_row = cells.join(rows.with_row_index("at"), on=rows.columns, how="left", maintain_order="left")["at"]
    at_column = cells.join(columns.with_row_index("at"), on=columns.columns, how="left", maintain_order="left")["at"]
    places: NDArray[np.int64] = at_row.to_numpy().astype(np.int64) * columns.height + at_column.to_numpy()
    return places


def _shown(values: pl.Series) -> pl.Series:
    """Round values as spec.numbers.number does, so that the browser has no digits that a page would not show."""
    near_zero = values.abs() < 0.095
    return values.round_sig_figs(2).zip_with(near_zero, values.round(2))


def _numbers(series: pl.Series, place: NDArray[np.int64], size: int) -> list[float | int | None]:
    """Return a column as an array over the grid."""
    laid = np.full(size, np.nan)
    laid[place] = series.cast(pl.Float64).to_numpy()
    found = pl.Series(laid).fill_nan(None)
    return (found if series.dtype.is_float() else found.cast(series.dtype)).to_list()


def domain(values: pl.Series) -> float:
    """Return the end of the colour scale with two significant digits, never zero."""
    known = values.drop_nulls().abs()
    known = known.filter(known.is_finite())
    end = known.quantile(COLOURED_SHARE, "higher") if len(known) else None
    return float(f"{end:.2g}") if end else 1.0


def with_dimensions(cells: pl.DataFrame, dimensions: Mapping[str, str]) -> pl.DataFrame:
    """Return the cells with their attribute's dimension after the category. Without dimensions they stay the same."""
    if not dimensions:
        return cells
    own = cells["attribute"].replace_strict(dimensions, default="", return_dtype=pl.String).alias("dimension")
    return cells.insert_column(cells.get_column_index("category") + 1, own)


def file(cells: pl.DataFrame, about: dict[str, str]) -> str:
    """Return the cells as CSV text: comment lines about the data, a header and the cells. No text is a formula."""
    head = io.StringIO()
    csv.writer(head).writerows([f"# {name}", escape(text)] for name, text in about.items())
    texts = [name for name, kind in cells.schema.items() if kind == pl.String]
    safe = cells.with_columns(_escaped(cells[name]) for name in texts)
    return head.getvalue() + safe.write_csv(line_terminator="\r\n")


def _escaped(texts: pl.Series) -> pl.Series:
    """Escape each distinct text once, since many cells repeat it."""
    distinct = texts.unique().to_list()
    return texts.replace_strict(distinct, [escape(text) for text in distinct], return_dtype=pl.String)
