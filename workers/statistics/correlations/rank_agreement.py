"""Rank agreement of two tables [rows, columns] that generalises over their rows (groups).

Kendall's tau-b is a ratio of sums over pairs of cells. Sums within each pair of rows give it for any resample or
permutation of the rows from small matrices, without another pass over the cells.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.units import Floats

Singles = npt.NDArray[np.float32]


def kendall_tau(x: Floats, y: Floats) -> tuple[float, float]:
    """Return tau-b and its two-sided p over the cells that both tables have.

    NaN below two cells or if a side is constant.
    The p-value treats the cells as independent (it is exact for few cells without ties).
    Source: Kendall 1945, "The Treatment of Ties in Ranking Problems", Biometrika 33; scipy.stats.kendalltau.
    """
    known = ~(np.isnan(x) | np.isnan(y))
    if known.sum() < 2:
        return float("nan"), float("nan")
    found = stats.kendalltau(x[known], y[known])
    return float(found.statistic), float(found.pvalue)


def resampled_taus(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return tau-b pooled over all cells when row r occurs weights[r, resample] times, [resamples].

    Two copies of a row count like two rows: their cells are compared with each other.
    """
    missing = np.isnan(x) | np.isnan(y)
    order_x, order_y = (cell_orders(np.where(missing, np.nan, values)) for values in (x, y))

    def weighed(cells: Singles) -> Floats:
        by_rows = cells.sum(axis=1, dtype=np.float64).reshape(len(x), len(x))
        return np.asarray(((by_rows @ weights) * weights).sum(axis=0))

    return tau_b(weighed(order_x.signs * order_y.signs), weighed(order_x.untied), weighed(order_y.untied))


def permuted_taus(x: Floats, y: Floats, permutations: npt.NDArray[np.intp]) -> Floats:
    """Return tau-b pooled over all cells when row r of x is paired with row permutations[draw, r] of y, [draws]."""
    order_x, order_y = cell_orders(x), cell_orders(y)
    compared = (
        (order_x.signs, order_y.signs.T.copy()),
        (order_x.untied, order_y.known.T.copy()),
        (order_x.known, order_y.untied.T.copy()),
    )
    sums = np.zeros((len(compared), len(permutations)))
    # One row of x at a time, because the table of all pairs of rows by all pairs of rows has rows^4 entries.
    for row in range(len(x)):
        # Earlier rows would count the same pairs of cells again.
        later = np.arange(row, len(x))
        twice = np.where(later > row, 2, 1)[:, None].astype(np.float32)
        # The number of the pair of y's rows that is paired with each of these pairs of x's rows.
        met = permutations[:, [row]] * len(x) + permutations[:, later]
        for total, (one, other) in zip(sums, compared, strict=True):
            table = (one[row * len(x) + later] * twice) @ other
            total += table[later - row, met].sum(axis=1, dtype=np.float64)
    return tau_b(*sums)


def mirrored(x: Floats, top: float) -> Floats:
    """Return the table followed by its mirror image top - x, [rows, 2 * columns]."""
    return np.concatenate([x, top - x], axis=1)


def centred_p(observed: float, drawn: Floats, centre: float) -> float:
    """Return the two-sided permutation p, (b + 1)/(m + 1) for b draws at least as far from `centre`; NaN if undefined.

    Source: Phipson and Smyth 2010, "Permutation P-values Should Never Be Zero".
    """
    known = drawn[~np.isnan(drawn)]
    if np.isnan(observed) or not known.size:
        return float("nan")
    # Sums in another order differ in the last digits, and a tie must count.
    beyond = np.count_nonzero(np.abs(known - centre) >= abs(observed - centre) - 1e-9)
    return (beyond + 1) / (known.size + 1)


@dataclass(frozen=True)
class Order:
    """Comparisons of all pairs of cells for each pair of rows, [pairs of rows, pairs of cells]."""

    signs: Singles  # 1 if the first cell is the higher, -1 if it is the lower; 0 for a tie or a missing cell
    known: Singles  # 1 if both cells are known

    @property
    def untied(self) -> Singles:
        return np.abs(self.signs)


def cell_orders(values: Floats) -> Order:
    """Compare the cells of each ordered pair of rows; the pair of row a with row b has the index a * rows + b."""
    order = _order(values[:, None, :, None], values[None, :, None, :])
    return Order(*(part.reshape(len(values) ** 2, -1) for part in (order.signs, order.known)))


def _order(one: Floats, other: Floats) -> Order:
    differences = one - other
    known = ~np.isnan(differences)
    signs = np.sign(np.where(known, differences, 0.0)).astype(np.float32)
    pairs = int(np.prod(signs.shape[-2:]))
    return Order(*(part.astype(np.float32).reshape(*signs.shape[:-2], pairs) for part in (signs, known)))


def tau_b(agreeing: npt.ArrayLike, untied_x: npt.ArrayLike, untied_y: npt.ArrayLike) -> Floats:
    """Return tau-b: concordant minus discordant pairs over the geometric mean of the pairs untied in x and in y."""
    pairs = np.sqrt(np.asarray(untied_x, dtype=np.float64) * np.asarray(untied_y, dtype=np.float64))
    tau = np.full(pairs.shape, np.nan)
    np.divide(np.asarray(agreeing, dtype=np.float64), pairs, out=tau, where=pairs > 0)
    return tau
