"""Rank agreement of two methods' scores of the same words: Kendall's tau with an interval over word families."""

from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from workers.statistics.correlations.rank_agreement import tau_b
from workers.statistics.intervals import resampled_error, times_drawn
from workers.statistics.units import Floats, Positions

FEWEST_FAMILIES = 10
"""The fewest word families of a rank correlation. With fewer it has hardly any power."""
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class RankAgreement:
    """Kendall's tau-b with its interval and tests. NaN below FEWEST_FAMILIES, or if a side is constant."""

    tau: float
    low: float
    high: float
    p_value: float
    equivalence_p: float
    words: int
    families: int


def rank_agreement(
    x: Floats, y: Floats, families: Positions, *, seed: int, resamples: int = 2000, level: float = 0.95, margin: float
) -> RankAgreement:
    """Return how alike two methods order the words by how much each leans to a group: x, y [words, groups], complete.

    Each score is taken less its word's mean over the groups. So what a word has with all groups, such as its
    frequency, drops out. Words are compared within each group, so what a group has with all words drops out as well.
    tau_b is the sum over groups of concordant minus discordant pairs of words, over the geometric mean of the pairs
    that each side orders. With two groups this is the tau of the differences between them.

    The interval is tau -+ t s, cut at -1 and 1: s the standard error over resamples of word families, t with families
    - 1 degrees of freedom. It covers 0.95 to 0.99 (bench/calibration.py); on Fisher's scale it covers up to 1.00.
    `p_value` is two-sided, `equivalence_p` tests |tau| < margin. If all resamples
    are equal, only tau is known.
    Raises ValueError for fewer than two groups, since nothing is left of the scores.
    Source: Kendall 1945 (tau-b); Davison and Hinkley 1997, section 3.8 (clusters); Schuirmann 1987 (equivalence).
    """
    if x.shape != y.shape or x.shape[1] < 2:
        raise ValueError(f"scores of {x.shape} and {y.shape}: both sides need the same words and at least two groups.")
    codes = np.unique(families, return_inverse=True)[1]
    units = int(codes.max(initial=-1)) + 1
    nothing = RankAgreement(*(np.nan,) * 5, len(x), units)
    if units < FEWEST_FAMILIES:
        return nothing
    pairs = _Pairs.of(x, y)
    tau = float(pairs.taus(np.ones((len(x), 1)))[0])
    drawn = pairs.taus(times_drawn(units, resamples, seed)[codes])
    known = drawn[~np.isnan(drawn)]
    if np.isnan(tau) or known.size <= resamples / 2:
        return nothing
    error = float(resampled_error(known, units))
    if error < ROUNDING:
        return replace(nothing, tau=tau)
    reach = stats.t.isf((1 - level) / 2, units - 1) * error
    return replace(
        nothing,
        tau=tau,
        low=max(tau - reach, -1.0),
        high=min(tau + reach, 1.0),
        p_value=float(2 * stats.t.sf(abs(tau) / error, units - 1)),
        equivalence_p=float(stats.t.sf((margin - abs(tau)) / error, units - 1)),
    )


@dataclass(frozen=True)
class _Pairs:
    """Sums over the groups: concordant minus discordant, ordered in x, ordered in y, [words, words] each."""

    agreeing: Floats
    ordered_x: Floats
    ordered_y: Floats

    @classmethod
    def of(cls, x: Floats, y: Floats) -> "_Pairs":
        found = np.zeros((3, len(x), len(x)))
        for group in range(x.shape[1]):
            signs = [_signs(_centred(one)[:, group]) for one in (x, y)]
            found += np.stack([signs[0] * signs[1], *map(np.abs, signs)])
        return cls(*found)

    def taus(self, weights: Floats) -> Floats:
        """Return tau-b when word w occurs weights[w, resample] times, [resamples]. Copies of a word are ties."""
        return tau_b(
            *(((one @ weights) * weights).sum(axis=0) for one in (self.agreeing, self.ordered_x, self.ordered_y))
        )


def _centred(scores: Floats) -> Floats:
    # Rounded, because two words with equal differences may differ in the last digit of these means.
    return np.asarray(np.round(scores - scores.mean(axis=1, keepdims=True), 12))


def _signs(column: Floats) -> Floats:
    return np.asarray(np.sign(column[:, None] - column[None, :]))
