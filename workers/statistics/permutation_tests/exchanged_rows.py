"""What tau is on average when rows (groups) exchange their ratings: exact, from the sums of pairs of rows."""

import numpy as np

from workers.statistics.rank_agreement import Singles, between, ratio
from workers.statistics.units import Floats


def exchanged_taus(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Mean tau-b over all exchanges of the rows of y, when row r stands weights[r, resample] times, [resamples].

    `weights` are whole numbers; with one of each row it is the mean over all permutations of the rows. A copy of a row
    may keep its own ratings, as in any exchange, but does not get those of another copy of its row: these would be its
    own once more, and the mean would move towards tau as it is.

    The sums over agreeing and over untied pairs of cells are averaged before they are divided: exactly the mean of the
    taus where no cell is missing, else nearly. Source: METHODS 1a (ours).
    """
    rows, sums = len(x), np.zeros((3, weights.shape[1]))
    order_x, order_y = between(x), between(y)
    compared = (order_x.signs, order_y.signs), (order_x.untied, order_y.known), (order_x.known, order_y.untied)
    twos = _twos(weights)
    # One row at a time: the table of all pairs of rows by all pairs of rows would be rows^4 large.
    for row in range(rows):
        here = slice(row * rows, (row + 1) * rows)
        tables = np.stack([(one[here] @ other.T).reshape(rows, rows, rows) for one, other in compared])
        sums += _of_two(tables, row, weights, twos) + _of_one(tables, row, weights)
    return ratio(*sums)


def _twos(weights: Floats) -> Singles:
    """How many ordered twos of different copies there are of each two rows, [rows * rows, resamples]."""
    times = weights.astype(np.float32)
    found = times[:, None] * times
    every = np.arange(len(times))
    found[every, every] -= times
    return found.reshape(len(times) ** 2, -1)


def _of_two(tables: Singles, row: int, weights: Floats, twos: Singles) -> Floats:
    """Sums over each copy of `row` with each other copy of any row, means over their exchanges, [3, resamples]."""
    copies = twos.reshape(*weights.shape[:1], *weights.shape)[row]
    exchanges = _exchanges(np.ones_like(tables[:1]), row, weights, twos)
    return np.asarray((_exchanges(tables, row, weights, twos) / exchanges * copies).sum(axis=1))


def _exchanges(tables: Singles, row: int, weights: Floats, twos: Singles) -> Floats:
    """Sums over what a copy of `row` and one of each other row may get, never the same copy, [tables, rows, resamples].

    All twos of copies; but of its own row each gets what it has itself and not what the spare copies have. Sums of ones
    count them.
    """
    first, second = tables[:, :, row], np.diagonal(tables, axis1=1, axis2=3).swapaxes(1, 2)
    own_first, own_second = first[:, :, row], np.diagonal(second, axis1=1, axis2=2)
    spare_first, spare_second = weights[row] - 1, weights - 1
    found = (tables.reshape(-1, len(twos)) @ twos).reshape(*tables.shape[:2], -1).astype(np.float64)
    found -= spare_first * (first @ weights - own_first[..., None])
    found -= spare_second * (second @ weights - own_second[..., None])
    found += spare_first * spare_second * np.diagonal(first, axis1=1, axis2=2)[..., None]
    # Of two copies of `row` both keep their own: the spare ones were taken away twice.
    found[:, row] += (1 - spare_first) * own_first[:, row, None]
    return found


def _of_one(tables: Singles, row: int, weights: Floats) -> Floats:
    """Sums within each copy of `row`, means over its own ratings and those of other rows' copies, [3, resamples]."""
    within = np.diagonal(tables[:, row], axis1=1, axis2=2)
    gets = np.where((np.arange(len(weights)) == row)[:, None], 1.0, weights)
    return np.asarray(within @ gets / gets.sum(axis=0) * weights[row])
