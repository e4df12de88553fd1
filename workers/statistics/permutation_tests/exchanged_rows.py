"""Kendall's tau averaged over exchanges of ratings between rows (groups), exactly from sums over pairs of rows."""

import numpy as np

from workers.statistics.correlations.rank_agreement import Singles, cell_orders, tau_b
from workers.statistics.units import Floats


def exchanged_taus(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return the mean tau-b over all exchanges of the rows of y, [resamples].

    Row r occurs weights[r, resample] times; the weights are integers. With weights of 1 this is the mean over all
    permutations of the rows. A copy of a row may keep its own ratings but never gets those of another copy of its row.
    Otherwise it would get its own ratings too often, and the mean would move towards the observed tau. The sums over
    agreeing and over untied pairs of cells are averaged before they are divided. The result is exactly the mean of the
    taus if no cell is missing, otherwise approximately.
    Source: METHODS 1a (ours).
    """
    rows, sums = len(x), np.zeros((3, weights.shape[1]))
    order_x, order_y = cell_orders(x), cell_orders(y)
    compared = (order_x.signs, order_y.signs), (order_x.untied, order_y.known), (order_x.known, order_y.untied)
    twos = _twos(weights)
    # One row at a time, because the table of all pairs of rows by all pairs of rows has rows^4 entries.
    for row in range(rows):
        here = slice(row * rows, (row + 1) * rows)
        tables = np.stack([(one[here] @ other.T).reshape(rows, rows, rows) for one, other in compared])
        sums += _of_two(tables, row, weights, twos) + _of_one(tables, row, weights)
    return tau_b(*sums)


def _twos(weights: Floats) -> Singles:
    """Return the number of ordered pairs of different copies for each two rows, [rows * rows, resamples]."""
    times = weights.astype(np.float32)
    found = times[:, None] * times
    every = np.arange(len(times))
    found[every, every] -= times
    return found.reshape(len(times) ** 2, -1)


def _of_two(tables: Singles, row: int, weights: Floats, twos: Singles) -> Floats:
    """Return sums over each copy of `row` with each copy of any other row, as means over exchanges, [3, resamples]."""
    copies = twos.reshape(*weights.shape[:1], *weights.shape)[row]
    return np.asarray((_exchanges(tables, row, weights, twos) / _counted(row, weights) * copies).sum(axis=1))


def _counted(row: int, weights: Floats) -> Floats:
    """Return the number of exchanges in `_exchanges`, [rows, resamples]: its sums for tables of ones."""
    copies = weights.sum(axis=0)
    spare_first, spare_second = weights[row] - 1, weights - 1
    found = (copies - spare_first - spare_second) * (copies - 1) + spare_first * spare_second
    found[row] += 1 - spare_first
    return np.asarray(found)


def _exchanges(tables: Singles, row: int, weights: Floats, twos: Singles) -> Floats:
    """Return sums over the rows that a copy of `row` and one of another row may get, [tables, rows, resamples].

    The two never get the same copy. All pairs of copies count, except that a copy may get only its own ratings from its
    own row, not those of a spare copy.
    """
    first, second = tables[:, :, row], np.diagonal(tables, axis1=1, axis2=3).swapaxes(1, 2)
    own_first, own_second = first[:, :, row], np.diagonal(second, axis1=1, axis2=2)
    spare_first, spare_second = weights[row] - 1, weights - 1
    found = (tables.reshape(-1, len(twos)) @ twos).reshape(*tables.shape[:2], -1).astype(np.float64)
    found -= spare_first * (first @ weights - own_first[..., None])
    found -= spare_second * (second @ weights - own_second[..., None])
    found += spare_first * spare_second * np.diagonal(first, axis1=1, axis2=2)[..., None]
    # If both are copies of `row` and keep their own ratings, the spare copies were subtracted twice.
    found[:, row] += (1 - spare_first) * own_first[:, row, None]
    return found


def _of_one(tables: Singles, row: int, weights: Floats) -> Floats:
    """Return sums within each copy of `row`, as means over its own and other rows' ratings, [3, resamples]."""
    within = np.diagonal(tables[:, row], axis1=1, axis2=2)
    gets = np.where((np.arange(len(weights)) == row)[:, None], 1.0, weights)
    return np.asarray(within @ gets / gets.sum(axis=0) * weights[row])
