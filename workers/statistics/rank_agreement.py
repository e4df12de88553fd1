"""Rank agreement of two tables [rows, columns], where the rows (groups) are what a claim generalises over.

Kendall's tau-b is a ratio of sums over pairs of cells. Summed within each pair of rows first, it can be had for any
resample or permutation of the rows from small matrices, without touching the cells again.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.units import Floats

Singles = npt.NDArray[np.float32]


def kendall_tau(x: Floats, y: Floats) -> tuple[float, float]:
    """Tau-b and its two-sided p over the cells that both have; NaN below two cells or where one side is constant.

    The p-value takes the cells as independent (exact for few cells without ties). Source: Kendall 1945, "The Treatment
    of Ties in Ranking Problems", Biometrika 33; scipy.stats.kendalltau.
    """
    known = ~(np.isnan(x) | np.isnan(y))
    if known.sum() < 2:
        return float("nan"), float("nan")
    found = stats.kendalltau(x[known], y[known])
    return float(found.statistic), float(found.pvalue)


def resampled_taus(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Tau-b pooled over all cells when row r stands weights[r, resample] times, [resamples].

    Two copies of one row count like two rows: their cells are compared with each other.
    """
    missing = np.isnan(x) | np.isnan(y)
    order_x, order_y = (between(np.where(missing, np.nan, values)) for values in (x, y))

    def weighed(cells: Singles) -> Floats:
        by_rows = cells.sum(axis=1, dtype=np.float64).reshape(len(x), len(x))
        return np.asarray(((by_rows @ weights) * weights).sum(axis=0))

    return ratio(weighed(order_x.signs * order_y.signs), weighed(order_x.untied), weighed(order_y.untied))


def permuted_taus(x: Floats, y: Floats, permutations: npt.NDArray[np.intp]) -> Floats:
    """Tau-b pooled over all cells when row r of x meets row permutations[draw, r] of y, [draws]."""
    order_x, order_y = between(x), between(y)
    compared = (
        (order_x.signs, order_y.signs.T.copy()),
        (order_x.untied, order_y.known.T.copy()),
        (order_x.known, order_y.untied.T.copy()),
    )
    sums = np.zeros((len(compared), len(permutations)))
    # One row of x at a time: the table of all pairs of rows by all pairs of rows would be rows^4 large.
    for row in range(len(x)):
        # With the rows before it the same pairs of cells would be counted once more.
        later = np.arange(row, len(x))
        twice = np.where(later > row, 2, 1)[:, None].astype(np.float32)
        # Which pair of y's rows meets each of these pairs of x's, as one number.
        met = permutations[:, [row]] * len(x) + permutations[:, later]
        for total, (one, other) in zip(sums, compared, strict=True):
            table = (one[row * len(x) + later] * twice) @ other
            total += table[later - row, met].sum(axis=1, dtype=np.float64)
    return ratio(*sums)


def mirrored(x: Floats, top: float) -> Floats:
    """The table with each column once more, turned round: v and top - v."""
    return np.concatenate([x, top - x], axis=1)


def centred_p(observed: float, drawn: Floats, centre: float) -> float:
    """Permutation p, two-sided: the draws at least as far from `centre`, (b + 1)/(m + 1); NaN if undefined.

    Source: Phipson and Smyth 2010, "Permutation P-values Should Never Be Zero".
    """
    known = drawn[~np.isnan(drawn)]
    if np.isnan(observed) or not known.size:
        return float("nan")
    # Sums in another order differ in the last digits; a tie must count.
    beyond = np.count_nonzero(np.abs(known - centre) >= abs(observed - centre) - 1e-9)
    return (beyond + 1) / (known.size + 1)


@dataclass(frozen=True)
class Order:
    """Of each pair of rows all pairs of cells, [pairs of rows, pairs of cells]."""

    signs: Singles  # 1 where the first cell is the higher, -1 where it is the lower; 0 for a tie or a missing cell
    known: Singles  # 1 where both cells are there

    @property
    def untied(self) -> Singles:
        return np.abs(self.signs)


def between(values: Floats) -> Order:
    """The pairs of cells of each two rows, the rows counted both ways: row a with row b stands at a * rows + b."""
    order = _order(values[:, None, :, None], values[None, :, None, :])
    return Order(*(part.reshape(len(values) ** 2, -1) for part in (order.signs, order.known)))


def _order(one: Floats, other: Floats) -> Order:
    differences = one - other
    known = ~np.isnan(differences)
    signs = np.sign(np.where(known, differences, 0.0)).astype(np.float32)
    pairs = int(np.prod(signs.shape[-2:]))
    return Order(*(part.astype(np.float32).reshape(*signs.shape[:-2], pairs) for part in (signs, known)))


def ratio(agreeing: npt.ArrayLike, untied_x: npt.ArrayLike, untied_y: npt.ArrayLike) -> Floats:
    """Tau-b: concordant minus discordant pairs over the geometric mean of the pairs untied in x and in y."""
    pairs = np.sqrt(np.asarray(untied_x, dtype=np.float64) * np.asarray(untied_y, dtype=np.float64))
    tau = np.full(pairs.shape, np.nan)
    np.divide(np.asarray(agreeing, dtype=np.float64), pairs, out=tau, where=pairs > 0)
    return tau
