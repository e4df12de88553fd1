"""The cells of a run's grid: the measures of one statistic by group and attribute."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl
from sqlalchemy import ARRAY, ColumnElement, Double, Integer, LargeBinary, Select, Text, cast, func, literal, select

from plumbline.results import statements
from plumbline.results.columns import Columns
from plumbline.results.tables import measure
from plumbline.spec.prior import OTHER_PRIOR

CELLS: Columns = {
    "group_a": pl.String,
    "group_b": pl.String,
    "attribute": pl.String,
    "category": pl.String,
    "value": pl.Float64,
    "ci_low": pl.Float64,
    "ci_high": pl.Float64,
    "q_value": pl.Float64,
    "verdict": pl.String,
    "n": pl.Int32,
    "reason": pl.String,
}

# The control character "unit separator" is in no label: the spec refuses it.
_BETWEEN = "\x1f"


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a measure stands in a grid; an empty `group_b` is a score of one group."""

    statistic: str
    group_a: str
    group_b: str
    attribute: str


def cells(run: int, statistic: str, variant: str | None = None, category: str | None = None) -> pl.DataFrame:
    """A row per cell (columns CELLS), in the order in which the summary wrote them; without those of a template.

    `variant` is needed where a run keeps several of one statistic: comparisons with other runs. `category`: of one
    list of attributes alone.
    """
    query = _measures([run], statistic, variant, list(CELLS)).where(measure.c.attribute != "")
    query = query if category is None else query.where(measure.c.category == category)
    inner = query.order_by(measure.c.id).subquery()
    # One value a column: row by row Python spends most of a second on 100,000 cells, so it takes a fifth of that.
    (found,) = statements.rows(select(*(_strung(inner.c[name]) for name in CELLS)))
    return pl.DataFrame([_series(name, strung) for name, strung in zip(CELLS, found, strict=True)])


def _strung(column: ColumnElement[Any]) -> ColumnElement[Any]:
    if isinstance(column.type, Text):
        return func.string_agg(column, _BETWEEN)
    number = func.coalesce(cast(column, Double), literal("NaN", Double))
    return func.string_agg(func.float8send(number), literal(b"", LargeBinary))


def _series(name: str, strung: str | bytes | None) -> pl.Series:
    """A column's values; None is what string_agg makes of no rows."""
    if strung is None:
        return pl.Series(name, [], dtype=CELLS[name])
    if isinstance(strung, str):
        return pl.Series(name, strung.split(_BETWEEN))
    numbers = np.frombuffer(strung, dtype=">f8").astype(np.float64)
    return pl.Series(name, numbers).fill_nan(None).cast(CELLS[name])


def cell(runs: Sequence[int], where: Cell, variant: str | None = None) -> dict[int, dict[str, Any]]:
    """One cell in each of the runs that has it: its columns (CELLS and `n_units`, `unit`) by run."""
    names = ["run", *CELLS, "n_units", "unit"]
    query = _measures(runs, where.statistic, variant, names).where(
        measure.c.group_a == where.group_a,
        measure.c.group_b == where.group_b,
        measure.c.attribute == where.attribute,
    )
    return {row[0]: dict(zip(names, row, strict=True)) for row in statements.rows(query)}


def _measures(runs: Sequence[int], statistic: str, variant: str | None, names: list[str]) -> Select[Any]:
    query = select(*(measure.c[name] for name in names)).where(
        measure.c.run == func.any(literal(list(runs), ARRAY(Integer))),
        measure.c.statistic == statistic,
        measure.c.template == "",
    )
    own = ~measure.c.variant.startswith(OTHER_PRIOR) if variant is None else measure.c.variant == variant
    return query.where(own)
