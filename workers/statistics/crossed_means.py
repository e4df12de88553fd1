"""The mean of a table whose rows and columns are both samples, such as words and kinds of sentence."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from workers.statistics.intervals import has_width
from workers.statistics.known import mean_of_known
from workers.statistics.units import Floats

FIT_STEPS = 100


@dataclass(frozen=True, slots=True)
class CrossedMean:
    """A mean with its standard error, degrees of freedom, interval and tests; NaN is undefined."""

    value: float
    standard_error: float
    degrees: float
    ci_low: float
    ci_high: float
    p_value: float
    equivalence_p: float


def crossed_mean_of_table(
    values: Floats, *, null: float = 0.0, margin: float = np.nan, level: float = 0.95
) -> CrossedMean:
    """Return the mean of values [rows, columns], tested against `null`, so that it generalises over rows and columns.

    V = max(V_row + V_column - V_cell, V_row, V_column). V_row and V_column are the variances of the row means and of
    the column means over their counts. V_cell is the residual mean square / (rows * columns). The test is Student's t
    with Satterthwaite's degrees of freedom, at least min(rows, columns) - 1. NaN cells are filled by an additive
    fit. With fewer than two rows or columns there is no interval and no test. Equal values have no interval.
    Source: METHODS 1a (ours), on Satterthwaite 1946, "An Approximate Distribution of Estimates of Variance Components".
    """
    table = fill_missing(values)
    rows, columns = table.shape
    value = float(table.mean()) if table.size else np.nan
    if min(rows, columns) < 2:
        return CrossedMean(value, *(np.nan,) * 6)
    error, degrees = _error(table)
    error = error if has_width(value - error, value + error) else 0.0
    reach = float(stats.t.isf((1 - level) / 2, degrees)) * error or np.nan
    return CrossedMean(
        value,
        error,
        degrees,
        value - reach,
        value + reach,
        _two_sided(value - null, error, degrees, min(rows, columns)),
        _beyond(margin - abs(value - null), error, degrees, min(rows, columns)),
    )


def fill_missing(values: Floats) -> Floats:
    """Return the table without empty rows and columns, with NaN cells filled by an additive fit of both."""
    known = ~np.isnan(values)
    table = values[np.ix_(known.any(axis=1), known.any(axis=0))]
    missing = np.isnan(table)
    if not missing.any():
        return table
    table = np.where(missing, mean_of_known(table, axis=1)[:, None], table)
    for _ in range(FIT_STEPS):
        added = table.mean(axis=1, keepdims=True) + table.mean(axis=0, keepdims=True) - table.mean()
        table = np.where(missing, added, table)
    return table


def _error(table: Floats) -> tuple[float, float]:
    """Return the standard error of the mean of a table without NaN, and its degrees of freedom."""
    rows, columns = table.shape
    by_row, by_column = table.mean(axis=1), table.mean(axis=0)
    residual = table - by_row[:, None] - by_column[None, :] + table.mean()
    inner = (rows - 1) * (columns - 1)
    of_rows, of_columns = float(by_row.var(ddof=1)) / rows, float(by_column.var(ddof=1)) / columns
    of_cells = float((residual**2).sum()) / inner / table.size
    variance = max(of_rows + of_columns - of_cells, of_rows, of_columns)
    uncertainty = of_rows**2 / (rows - 1) + of_columns**2 / (columns - 1) + of_cells**2 / inner
    least = min(rows, columns) - 1
    return float(np.sqrt(variance)), max(variance**2 / uncertainty, least) if uncertainty else least


def _two_sided(distance: float, error: float, degrees: float, units: int) -> float:
    """Return the two-sided p of Student's t test. Without a standard error, return the p of `units` equal signs."""
    if not error:
        return float(2.0 ** (1 - units)) if distance else 1.0
    return float(2 * stats.t.sf(abs(distance) / error, degrees))


def _beyond(distance: float, error: float, degrees: float, units: int) -> float:
    """Return the larger p of two one-sided tests, which belongs to the nearer end of the margin."""
    if np.isnan(distance):
        return np.nan
    if not error:
        return float(2.0**-units) if distance > 0 else 1.0
    return float(stats.t.sf(distance / error, degrees))
