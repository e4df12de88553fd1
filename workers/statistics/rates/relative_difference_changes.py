"""How relative differences between two groups of names changed from one model to another, name by name."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.rates.rate_comparisons import Successes
from workers.statistics.rates.success_rates import divided, mean_rates, relative_difference
from workers.statistics.units import Floats

FEWEST_SUCCESSES, FEWEST_NAMES = 50, 5
"""With fewer successes in a group, or of fewer names, the test rejects too often. Names count by Kish's effective
number, and half of a group's names are enough. Source: bench/simulations/sodapop_changes.py."""
ROUNDING = 1e-12
"""A standard error that is nothing but rounding."""


@dataclass(frozen=True, slots=True)
class Versions:
    """Wrong answers with each word by name of one group, before and after: the same names and words."""

    before: Successes
    after: Successes

    @property
    def both(self) -> tuple[Successes, Successes]:
        return self.before, self.after


@dataclass(frozen=True, slots=True)
class RelativeChange:
    """RD after minus RD before, arrays [words], with interval and tests; NaN where they cannot be made."""

    value: Floats
    low: Floats
    high: Floats
    p_value: Floats
    equivalence_p: Floats
    names: npt.NDArray[np.int64]
    """The number of names of both groups that have the word, [words]."""
    is_rare: npt.NDArray[np.bool_]
    """Whether a group has too few successes before or after, or of too few names, to test anything, [words]."""


def relative_changes(a: Versions, b: Versions, *, margin: float = np.nan, level: float = 0.95) -> RelativeChange:
    """Compare the relative differences of two groups before and after, with names as units.

    Each name has the change of its own success rate, times the slope of RD in its group's mean (the delta method). The
    two groups' mean weighted changes have Welch's standard error and degrees of freedom. Pairing by name cancels
    what a name has in common before and after. A word without a change in any name has no interval and no test.
    Source: An et al. 2023, equations 2-4; Welch 1947. The changes are ours (METHODS 10).
    """
    means = [[mean_rates(one.rates) for one in side.both] for side in (a, b)]
    before, after = (relative_difference(means[0][time], means[1][time]) for time in (0, 1))
    parts = [_weighted(side, means, place) for place, side in enumerate((a, b))]
    error, degrees = _error(parts)
    rare = np.any([_is_rare(one) for side in (a, b) for one in side.both], axis=0)
    value = after - before
    tested = ~rare & ~np.isnan(value) & (error > ROUNDING)
    reach = np.where(tested, stats.t.isf((1 - level) / 2, degrees) * error, np.nan)
    return RelativeChange(
        value=value,
        low=value - reach,
        high=value + reach,
        p_value=_tail(2.0, np.abs(value), error, degrees, tested),
        equivalence_p=_tail(1.0, margin - np.abs(value), error, degrees, tested),
        names=a.before.names + b.before.names,
        is_rare=rare,
    )


def _weighted(side: Versions, means: list[list[Floats]], place: int) -> Floats:
    """Return the change of each name on the scale of RD, [names, words]: after minus before, each times its slope."""
    before, after = (_slope(means, time, place) * one.rates for time, one in enumerate(side.both))
    return np.asarray(after - before)


def _slope(means: list[list[Floats]], time: int, place: int) -> Floats:
    """Return the derivative of RD = 2 (a - b) / (a + b) by one group's mean, [words]."""
    own, other = means[place][time], means[1 - place][time]
    return (1 if place == 0 else -1) * divided(4 * other, (own + other) ** 2)


def _error(parts: list[Floats]) -> tuple[Floats, Floats]:
    """Return Welch's standard error and degrees of freedom, [words]; 0 and 1 below two names in a group."""
    counts = [np.count_nonzero(~np.isnan(one), axis=0) for one in parts]
    variances = [_variance_of_mean(one, count) for one, count in zip(parts, counts, strict=True)]
    total = variances[0] + variances[1]
    spread = sum(one**2 / np.maximum(count - 1, 1) for one, count in zip(variances, counts, strict=True))
    enough = np.minimum(*counts) >= 2
    degrees = np.where(enough, np.nan_to_num(divided(total**2, np.asarray(spread)), nan=1.0), 1.0)
    return np.where(enough, np.sqrt(total), 0.0), degrees


def _variance_of_mean(values: Floats, count: npt.NDArray[np.intp]) -> Floats:
    mean = divided(np.nansum(values, axis=0), count)
    squares = np.nansum((values - mean) ** 2, axis=0)
    return np.asarray(np.nan_to_num(divided(squares, count * np.maximum(count - 1, 1)), nan=0.0))


def _is_rare(one: Successes) -> npt.NDArray[np.bool_]:
    total = one.chosen.sum(axis=0)
    effective = np.nan_to_num(divided(total**2, (one.chosen**2).sum(axis=0)))
    return np.asarray((total < FEWEST_SUCCESSES) | (effective < min(FEWEST_NAMES, len(one.chosen) / 2)))


def _tail(times: float, distance: Floats, error: Floats, degrees: Floats, tested: npt.NDArray[np.bool_]) -> Floats:
    t = np.divide(distance, error, out=np.full(error.shape, np.nan), where=tested)
    return np.asarray(np.minimum(times * stats.t.sf(t, degrees), 1.0))
