"""Two rates over the same units: their difference, with intervals and tests that resample whole units."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from workers.statistics.intervals import times_drawn
from workers.statistics.permutations import TIE, sign_patterns
from workers.statistics.resampling import Resampling
from workers.statistics.units import Blocks, Floats

EXACT_UP_TO = 12


@dataclass(frozen=True, slots=True)
class RateDifference:
    """One cell; NaN is undefined."""

    value: float
    ci_low: float
    ci_high: float
    p_value: float
    n: int
    n_units: int


def rate_differences(first: Blocks, second: Blocks, resampling: Resampling) -> list[RateDifference]:
    """First minus second rate of each cell: [cells, units] each, the same units.

    The interval draws whole units with replacement. The test swaps first and second in whole units, two-sided: exact up
    to 12 units, else p = (b + 1)/(m + 1). Units without an item of either are no units of the cell.
    """
    swaps: dict[int, Floats] = {}
    return [_difference(_own(first, second, cell), resampling, swaps) for cell in range(len(first.sums))]


def _own(first: Blocks, second: Blocks, cell: int) -> Floats:
    """Sums and counts of both in the cell's own units, [4, units]."""
    rows = np.stack([first.sums[cell], first.counts[cell], second.sums[cell], second.counts[cell]])
    return np.asarray(rows[:, (rows[1] + rows[3]) > 0])


def _difference(rows: Floats, resampling: Resampling, swaps: dict[int, Floats]) -> RateDifference:
    """`swaps` keeps the sign patterns by number of units."""
    units = rows.shape[1]
    value = float(_minus(rows.sum(axis=1, keepdims=True))[0])
    low = high = p = float("nan")
    if units >= 2 and not np.isnan(value):
        drawn = _minus(rows @ times_drawn(units, resampling.resamples, resampling.seed))
        low, high = resampling.interval(drawn, units)
        if units not in swaps:
            swaps[units] = sign_patterns(units, resampling.seed, resampling.permutations, EXACT_UP_TO).T
        p = _swapped(rows, value, swaps[units])
    return RateDifference(value, low, high, p, int(rows[[1, 3]].sum()), units)


def _minus(rows: Floats) -> Floats:
    """The difference of the two rates, [...]; NaN where either has no item."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(rows[0] / rows[1] - rows[2] / rows[3])


def _swapped(rows: Floats, value: float, signs: Floats) -> float:
    """The share of swaps of whole units, the observed one among them, that make as large a difference."""
    both, apart = rows[:2] + rows[2:], rows[:2] - rows[2:]
    kept = apart @ signs  # [2, patterns]
    whole = both.sum(axis=1, keepdims=True)
    found = _minus(np.concatenate([(whole + kept) / 2, (whole - kept) / 2]))
    known = ~np.isnan(found)
    return float(np.count_nonzero(np.abs(found[known]) >= abs(value) - TIE) / np.count_nonzero(known))


def mean_over_strata(strata: Sequence[tuple[Blocks, ...]], resampling: Resampling) -> RateDifference:
    """The mean of the strata's rates, or of their differences where a stratum has two.

    Every stratum is Blocks of one cell, over units of its own. Each draws its own units, apart from the others, so that
    the interval is of these strata and not of others that there might be. No test: p is NaN.
    """
    own = [_of_stratum(parts) for parts in strata]
    values = [_rate(rows.sum(axis=1, keepdims=True))[0] for rows in own]
    units = [rows.shape[1] for rows in own]
    low = high = float("nan")
    if values and min(units) >= 2:
        drawn = np.mean([_rate(rows @ _drawn(place, rows, resampling)) for place, rows in enumerate(own)], axis=0)
        low, high = resampling.interval(drawn, sum(units))
    n = int(sum(rows[1::2].sum() for rows in own))
    return RateDifference(float(np.mean(values)) if values else float("nan"), low, high, float("nan"), n, sum(units))


def _of_stratum(parts: tuple[Blocks, ...]) -> Floats:
    rows = np.stack([row for part in parts for row in (part.sums[0], part.counts[0])])
    return np.asarray(rows[:, rows[1::2].sum(axis=0) > 0])


def _rate(rows: Floats) -> Floats:
    if len(rows) == 4:
        return _minus(rows)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(rows[0] / rows[1])


def _drawn(place: int, rows: Floats, resampling: Resampling) -> Floats:
    """How often each unit of a stratum is drawn, [units, resamples]: other draws than in the strata beside it."""
    units = rows.shape[1]
    return _times_drawn(place, units, resampling.resamples, resampling.seed)


@lru_cache(maxsize=32)
def _times_drawn(place: int, units: int, resamples: int, seed: int) -> Floats:
    """Kept, since the means of several statistics draw the same strata."""
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(11, place, units)))
    drawn = generator.multinomial(units, np.full(units, 1 / units), size=resamples).T.astype(np.float64)
    drawn.flags.writeable = False
    return drawn
