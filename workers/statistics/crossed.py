"""Figures over pairs of groups. Each pair belongs to two groups, so groups are resampled instead of pairs."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

from workers.statistics.intervals import expanded_tail
from workers.statistics.permutation_tests.sign_flip_tests import sign_flip
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats, blocks

RESAMPLES_AT_ONCE = 256
NOTHING = "no pair with both components"
ONE_GROUP = "one group on a side: no interval and no test"

Groups = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Crossed:
    """The two component groups of each pair by number, [pairs], and the stratum of each group.

    `strata` is [groups]: groups of one stratum are exchangeable. None: all groups are.
    """

    first: Groups
    second: Groups
    strata: npt.NDArray[np.intp] | None = None

    def sides(self) -> list[Groups]:
        """Return the groups that occur in a pair, by stratum."""
        taking_part = np.unique(np.concatenate([self.first, self.second]))
        if self.strata is None:
            return [taking_part] if taking_part.size else []
        of = self.strata[taking_part]
        return [taking_part[of == stratum] for stratum in np.unique(of)]

    def only(self, which: npt.NDArray[np.bool_]) -> "Crossed":
        return Crossed(self.first[which], self.second[which], self.strata)


@dataclass(frozen=True, slots=True)
class CrossedEstimate:
    """One figure from `n` pairs of `n_units` groups. NaN is undefined, and `reason` says why."""

    value: float
    ci_low: float
    ci_high: float
    p_value: float
    n: int
    n_units: int
    reason: str


def crossed_mean(values: Floats, pairs: Crossed, how: Resampling, *, test: bool = False) -> CrossedEstimate:
    """Return the mean of values [pairs] without NaN. With `test`, also test that the values are symmetric about 0."""
    known = ~np.isnan(values)
    values, pairs = values[known], pairs.only(known)
    return crossed_ratio(values, np.ones(len(values)), pairs, how, test=test)


def crossed_ratio(
    numerator: Floats, denominator: Floats, pairs: Crossed, how: Resampling, *, test: bool = False
) -> CrossedEstimate:
    """Return sum(numerator) / sum(denominator), both [pairs], with an interval by the crossed bootstrap.

    Groups are drawn with replacement within strata. The weight of a pair is the product of the counts of its two
    groups. The percentiles are expanded for the smallest stratum, as in `bootstrap_interval`. With `test`, p is the
    largest of three, because pairs depend on each other on both sides. The first flips the signs of all pairs of a
    first group together, the second those of a second group. Each of these takes the groups of the other side as fixed.
    The third is Student's t by the bootstrap's standard error, with one degree of freedom less than the smallest
    stratum has groups. k groups on a side give no p below 2^(1 - k).
    Source: Owen 2007, "The pigeonhole bootstrap", Annals of Applied Statistics 1. The interval is conservative.
    """
    sides, total = pairs.sides(), float(denominator.sum())
    fewest = min(map(len, sides), default=0)
    units = sum(map(len, sides))
    if not total:
        return CrossedEstimate(np.nan, np.nan, np.nan, np.nan, len(numerator), units, NOTHING)
    value = float(numerator.sum()) / total
    if fewest < 2:
        return CrossedEstimate(value, np.nan, np.nan, np.nan, len(numerator), units, ONE_GROUP)
    ratios = _resampled(numerator, denominator, pairs, sides, how)
    tail = expanded_tail(fewest, how.level)
    low, high = (float(end) for end in np.nanquantile(ratios, [tail, 1 - tail]))
    p = max(_p_value(numerator, pairs, how), _student(value, float(np.nanstd(ratios)), fewest)) if test else np.nan
    return CrossedEstimate(value, low, high, p, len(numerator), units, "")


def _student(value: float, error: float, groups: int) -> float:
    return float(2 * stats.t.sf(abs(value) / error, groups - 1)) if error else float(not value)


def _resampled(numerator: Floats, denominator: Floats, pairs: Crossed, sides: list[Groups], how: Resampling) -> Floats:
    drawn = _times_drawn(sides, int(max(pairs.first.max(), pairs.second.max())) + 1, how)
    ratios = np.full(how.resamples, np.nan)
    for start in range(0, how.resamples, RESAMPLES_AT_ONCE):
        part = slice(start, start + RESAMPLES_AT_ONCE)
        weights = drawn[pairs.first, part] * drawn[pairs.second, part]  # [pairs, resamples]
        total = denominator @ weights
        np.divide(numerator @ weights, total, out=ratios[part], where=total > 0)
    return ratios


def _times_drawn(sides: list[Groups], groups: int, how: Resampling) -> Floats:
    """Return the number of times each group is drawn in each resample, [groups, resamples]."""
    drawn = np.zeros((groups, how.resamples))
    for number, side in enumerate(sides):
        generator = np.random.default_rng(np.random.SeedSequence(how.seed, spawn_key=(2, number, len(side))))
        drawn[side] = generator.multinomial(len(side), np.full(len(side), 1 / len(side)), size=how.resamples).T
    return drawn


def _p_value(values: Floats, pairs: Crossed, how: Resampling) -> float:
    by_side = (
        sign_flip(blocks(values[None], side), seed=how.seed, draws=how.permutations).p_value[0]
        for side in (pairs.first, pairs.second)
    )
    return float(max(by_side))
