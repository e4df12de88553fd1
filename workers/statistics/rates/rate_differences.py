"""Means over strata of a score, or of the difference of two rates, with intervals and tests over whole units."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from workers.statistics.intervals import resampled_error
from workers.statistics.permutation_tests.sign_flip_tests import sign_patterns
from workers.statistics.permutation_tests.sign_flips import TIE
from workers.statistics.rates.few_events import skewness, sparse, t_equivalence
from workers.statistics.rates.rate_intervals import exact_limits, exact_score_limits, few_differ
from workers.statistics.resampling import Resampling
from workers.statistics.units import Blocks, Floats

EXACT_UP_TO = 12
NAN = float("nan")


@dataclass(frozen=True, slots=True)
class RateDifference:
    """The mean difference, or mean rate, of one cell with its interval and tests; NaN is undefined."""

    value: float
    n: int
    n_units: int
    ci_low: float = NAN
    ci_high: float = NAN
    p_value: float = NAN
    least_p: float = NAN
    """The smallest p that this number of units can give."""
    equivalence_p: float = NAN


def rate_differences(
    first: Blocks, second: Blocks, resampling: Resampling, margin: float = NAN
) -> list[RateDifference]:
    """Return the first minus the second rate of each cell of [cells, units] with the same units.

    See `mean_over_strata`.
    A unit without an item of either rate is not a unit of the cell.
    """
    rows = np.stack([first.sums, first.counts, second.sums, second.counts], axis=1)
    return [_mean([_own(one)], resampling, margin) for one in rows]


def mean_over_strata(
    strata: Sequence[tuple[Blocks, ...]], resampling: Resampling, margin: float | None = None
) -> RateDifference:
    """Return the mean of the strata's rates, or of their differences for strata of two rates.

    Each stratum holds Blocks of one cell over units of its own. Each stratum resamples its own units, so the interval
    is for these strata and does not generalise to others. With a `margin` (NaN: none is declared) the mean is tested; a
    single rate must then be a score whose sign has a meaning. The p of "no effect" flips the signs of scores, or swaps
    the two rates, in whole units: two-sided, exact up to 12 units, else (b + 1)/(m + 1). The equivalence p is that of t
    tests with the bootstrap's standard error. If fewer than five units have an event, limits and equivalence p are
    those of `few_events` and p is 1.
    """
    return _mean([_own(_rows(parts)) for parts in strata], resampling, margin)


def _rows(parts: tuple[Blocks, ...]) -> Floats:
    return np.stack([row for part in parts for row in (part.sums[0], part.counts[0])])


def _own(rows: Floats) -> Floats:
    """Return the sums and counts of each part over the cell's own units, [2 x parts, units]."""
    return np.asarray(rows[:, rows[1::2].sum(axis=0) > 0])


def _mean(strata: Sequence[Floats], resampling: Resampling, margin: float | None) -> RateDifference:
    units = [rows.shape[1] for rows in strata]
    value = float(np.mean([_rate(rows.sum(axis=1)) for rows in strata])) if strata else NAN
    n = int(sum(rows[1::2].sum() for rows in strata))
    if min(units, default=0) < 2 or np.isnan(value):
        return RateDifference(value, n, sum(units))
    drawn = [_rate(rows @ _drawn(place, rows, resampling)) for place, rows in enumerate(strata)]
    low, high = resampling.interval(np.mean(drawn, axis=0), sum(units))
    if margin is None:
        return RateDifference(value, n, sum(units), *_limits_of_rate(strata, value, (low, high), resampling.level))
    if np.isnan(low):
        low, high = map(float, exact_score_limits(value, len(units) * min(units), resampling.level))
    found = sparse(value, sum(map(_events, strata)), len(units) * min(units), margin, resampling.level)
    limit, least = float(found.limit), 1 / _signs(sum(units), resampling).shape[1]
    if found.few:
        return RateDifference(value, n, sum(units), -limit, limit, 1.0, least, float(found.equivalence_p))
    errors = [resampled_error(of[~np.isnan(of)], size) for of, size in zip(drawn, units, strict=True)]
    error = float(np.sqrt(np.sum(np.square(errors)))) / len(units)
    skew = skewness(np.concatenate([_added(rows) for rows in strata]))
    equivalence_p = float(t_equivalence(value, error, sum(units) - len(units), margin, skew))
    return RateDifference(value, n, sum(units), low, high, _p_value(strata, value, resampling), least, equivalence_p)


def _limits_of_rate(
    strata: Sequence[Floats], value: float, drawn: tuple[float, float], level: float
) -> tuple[float, float]:
    """Return the limits of the resamples, or exact ones if these have little width (see `rate_intervals`)."""
    sums, counts = (np.concatenate([rows[place] for rows in strata])[None, :] for place in (0, 1))
    if drawn[0] < drawn[1] and not few_differ(Blocks(sums, counts))[0]:
        return drawn
    low, high = exact_limits(value, len(strata) * min(rows.shape[1] for rows in strata), level)
    return float(low), float(high)


def _rate(rows: Floats) -> Floats:
    """Return the rate, or the difference of two rates, [...]; NaN without an item."""
    with np.errstate(invalid="ignore", divide="ignore"):
        rates = rows[0::2] / rows[1::2]
    return np.asarray(rates[0] - rates[1] if len(rates) == 2 else rates[0])


def _added(rows: Floats) -> Floats:
    """Return each unit's contribution to the rate, or to the difference, minus its expectation, [units]."""
    sums, counts = rows[0::2], rows[1::2]
    whole = counts.sum(axis=1, keepdims=True)
    added = (sums - sums.sum(axis=1, keepdims=True) / whole * counts) / whole
    return np.asarray(added[0] - added[1] if len(added) == 2 else added[0])


def _events(rows: Floats) -> int:
    """Return the number of units with a score other than 0.

    For two rates, with the rarer of right and wrong answers.
    """
    if len(rows) == 2:
        return int(np.count_nonzero(rows[0]))
    right, all_of = rows[0] + rows[2], rows[1] + rows[3]
    return int(min(np.count_nonzero(right), np.count_nonzero(right < all_of)))


def _p_value(strata: Sequence[Floats], value: float, resampling: Resampling) -> float:
    """Return the share of sign flips or swaps of whole units, with the identity, that give at least as large a mean."""
    units = [rows.shape[1] for rows in strata]
    signs = np.split(_signs(sum(units), resampling), np.cumsum(units)[:-1])
    found = np.mean([_changed(rows, own) for rows, own in zip(strata, signs, strict=True)], axis=0)
    known = ~np.isnan(found)
    return float(np.count_nonzero(np.abs(found[known]) >= abs(value) - TIE) / np.count_nonzero(known))


def _changed(rows: Floats, signs: Floats) -> Floats:
    """Return the rate with flipped signs, or the difference with swapped rates, under signs [units, k]."""
    if len(rows) == 2:
        return np.asarray(rows[0] @ signs / rows[1].sum())
    kept = (rows[:2] - rows[2:]) @ signs  # [2, k]
    whole = (rows[:2] + rows[2:]).sum(axis=1, keepdims=True)
    return _rate(np.concatenate([(whole + kept) / 2, (whole - kept) / 2]))


def _signs(units: int, resampling: Resampling) -> Floats:
    return _sign_columns(units, resampling.seed, resampling.permutations)


@lru_cache(maxsize=32)
def _sign_columns(units: int, seed: int, draws: int) -> Floats:
    return sign_patterns(units, seed, draws, EXACT_UP_TO).T


def _drawn(place: int, rows: Floats, resampling: Resampling) -> Floats:
    """Return how often each unit of a stratum is drawn, [units, resamples]; strata are drawn independently."""
    return _times_drawn(place, rows.shape[1], resampling.resamples, resampling.seed)


@lru_cache(maxsize=32)
def _times_drawn(place: int, units: int, resamples: int, seed: int) -> Floats:
    """Return how often each unit is drawn, [units, resamples].

    The result is cached because the means of several statistics draw the same strata.
    """
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(11, place, units)))
    drawn = generator.multinomial(units, np.full(units, 1 / units), size=resamples).T.astype(np.float64)
    drawn.flags.writeable = False
    return drawn
