"""Contrasts of rates of the same units: the difference of two groups, and the change of that difference."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from plumbline.spec.power.attainable_p import of_sign_flips
from workers.statistics.jackknife import Jackknifed, jackknifed
from workers.statistics.rates.few_events import sparse
from workers.statistics.rates.rate_intervals import exact_score_limits
from workers.statistics.units import Floats

ROUNDING = 1e-12
DRAWS = 9999


def rate_contrast(rates: Floats, signs: Sequence[float], *, margin: float = np.nan, level: float = 0.95) -> Jackknifed:
    """Return the mean over units of the signed sum of rates [rates, units], with its interval and tests.

    Each rate is between 0 and 1, and each unit has the same weight. Signs of 1 and -1 give a difference of two rates;
    of four rates, the change of a difference. Interval and tests are the jackknife's over the units. If fewer than five
    units have a contrast, it is at most as large as the share of such units, whose exact limit is the interval, and p
    is 1 (see `few_events`). If all units have the same contrast, the limits are Clopper and Pearson's with each unit as
    one trial, and p is that of units that all agree. One unit has no interval and no test. Source: ours.
    """
    contrast = np.asarray(np.asarray(signs, np.float64) @ rates)
    largest, n = len(signs) / 2, len(contrast)
    if n < 2:
        return Jackknifed(float(contrast.mean()) if n else np.nan, *(np.nan,) * 4, n)
    value = float(contrast.mean())
    found = jackknifed(value, [(contrast.sum() - contrast) / (n - 1)], margin=margin, level=level)
    rare = sparse(value / largest, np.count_nonzero(np.abs(contrast) > ROUNDING), n, margin / largest, level)
    if rare.few:
        limit = float(largest * rare.limit)
        return Jackknifed(value, -limit, limit, 1.0, float(rare.equivalence_p), n)
    if np.isnan(found.p_value):
        return _all_alike(value, largest, n, margin, level)
    return replace(found, low=max(found.low, -largest), high=min(found.high, largest))


def _all_alike(value: float, largest: float, n: int, margin: float, level: float) -> Jackknifed:
    low, high = exact_score_limits(value / largest, n, level)
    inside = np.nan if np.isnan(margin) else 1.0
    return Jackknifed(value, float(largest * low), float(largest * high), of_sign_flips(n, DRAWS), inside, n)
