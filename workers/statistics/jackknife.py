"""Intervals and tests of a figure from its values without each unit, where the figure is no plain mean."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats

from workers.statistics.rates.few_events import skewed_interval, skewness, t_equivalence
from workers.statistics.units import Floats

ROUNDING = 1e-12
"""A standard error that is nothing but rounding."""


@dataclass(frozen=True, slots=True)
class Jackknifed:
    """A figure with its interval, and the tests of its being 0; NaN where they cannot be made."""

    value: float
    low: float
    high: float
    p_value: float
    equivalence_p: float
    n_units: int


def jackknifed(
    value: float,
    without: Sequence[Floats],
    *,
    margin: float = np.nan,
    level: float = 0.95,
    degrees: int | None = None,
) -> Jackknifed:
    """Estimate a figure from its values without each unit, by stratum of units, each [units].

    The error is the jackknife's. Student's t has `degrees` of freedom, by default the units less one for each stratum.
    Interval and tests remove the skewness that a few units with large effects cause (Hall's transformation).
    `equivalence_p` is the larger p of the two one-sided tests against minus and plus the margin. A stratum of one unit,
    or units that all have the same effect, allow no interval and no test. Source: Efron and Stein 1981, "The Jackknife
    Estimate of Variance"; Hall 1992; Schuirmann 1987.
    """
    sizes = [len(one) for one in without]
    n = sum(sizes)
    if min(sizes, default=0) < 2 or np.isnan(value):
        return Jackknifed(value, *(np.nan,) * 4, n)
    parts = np.concatenate([np.sqrt((len(one) - 1) / len(one)) * (one.mean() - one) for one in without])
    error, degrees = float(np.sqrt((parts**2).sum())), n - len(sizes) if degrees is None else degrees
    if not error > ROUNDING:
        return Jackknifed(value, *(np.nan,) * 4, n)
    skew = float(skewness(parts))
    low, high = skewed_interval(value, error, degrees, skew, level)
    return Jackknifed(
        value=value,
        low=float(low),
        high=float(high),
        p_value=float(2 * stats.t.sf(abs(_transformed(value / error, skew)), degrees)),
        equivalence_p=float(t_equivalence(value, error, degrees, margin, skew)),
        n_units=n,
    )


def _transformed(z: float, skew: float) -> float:
    return z + skew * z**2 / 3 + skew**2 * z**3 / 27 + skew / 6
