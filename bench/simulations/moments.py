"""Spreads of counted and of scored units, by moments: what the simulations assume, as measured on a model."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workers.statistics.units import Floats


class Spread(NamedTuple):
    """A mean over units, and the standard deviation between units beyond what counting alone gives."""

    mean: float
    deviation: float


def spread_of_rates(successes: Floats, trials: Floats) -> Spread:
    """Return the mean rate of units [n] and the deviation of their true rates; units with one trial are left out.

    The binomial variance of a unit, r (1 - r) / (trials - 1), is unbiased, and is taken from the variance of the rates.
    """
    known = trials > 1
    rates = successes[known] / trials[known]
    noise = rates * (1 - rates) / (trials[known] - 1)
    return Spread(float(rates.mean()), _root(rates.var(ddof=1) - noise.mean()))


def spread_of_differences(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> Spread:
    """Return the same of first rate minus second rate; each side is (successes [n], trials [n])."""
    known = (first[1] > 1) & (second[1] > 1)
    rates, noise = [], 0.0
    for successes, trials in (first, second):
        rate = successes[known] / trials[known]
        noise += float((rate * (1 - rate) / (trials[known] - 1)).mean())
        rates.append(rate)
    difference = rates[0] - rates[1]
    return Spread(float(difference.mean()), _root(difference.var(ddof=1) - noise))


def share_between(values: Floats, groups: npt.ArrayLike) -> float:
    """Return the share of the variance of values [n] that lies between groups (intraclass correlation, Donner 1986).

    Groups of one member are left out.
    """
    _, number, counts = np.unique(np.asarray(groups), return_inverse=True, return_counts=True)
    kept = counts[number] > 1
    values, number, counts = values[kept], np.unique(number[kept], return_inverse=True)[1], counts[counts > 1]
    means = np.bincount(number, values) / counts
    within = ((values - means[number]) ** 2).sum() / (len(values) - len(counts))
    between = (counts * (means - values.mean()) ** 2).sum() / (len(counts) - 1)
    size = (len(values) - (counts**2).sum() / len(values)) / (len(counts) - 1)
    return float(max(between - within, 0) / (between + (size - 1) * within))


class Pattern(NamedTuple):
    """Of a table [groups, pairs] whose rows are centred: what rows share on each pair, and what each row has alone."""

    shared: Floats  # [pairs]
    own: Floats  # [groups, pairs]

    @property
    def ratio(self) -> float:
        """The deviation of what is shared over that of a group's own."""
        rows, columns = self.own.shape
        noise = float((self.own**2).sum()) / (rows - 1) / (columns - 1)
        return _root(float(self.shared.var(ddof=1)) - noise / rows) / _root(noise)


def pattern_of(table: Floats) -> Pattern:
    """Return the pattern of a table [groups, pairs] without NaN."""
    centred = table - table.mean(axis=1, keepdims=True)
    shared = centred.mean(axis=0)
    return Pattern(shared, centred - shared)


def _root(variance: float) -> float:
    return float(np.sqrt(max(variance, 0.0)))
