"""Differences between two groups while other properties of their members are held fixed."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats
from scipy.optimize import linear_sum_assignment

from workers.statistics.chunks import chunks
from workers.statistics.permutation_tests.sign_flips import TIE
from workers.statistics.rates.success_rates import divided
from workers.statistics.units import Floats

CALIPER = 0.2
"""Maximum distance within a pair, in standard deviations. Source: Austin 2011, Pharmaceutical Statistics 10."""
_FORBIDDEN = 1e6


def matched_pairs(
    exact: tuple[Floats, Floats], near: tuple[Floats, Floats] | None = None
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """Pair members of two groups one to one and return their positions in each group; both may be empty.

    The members of a pair are equal in `exact` and within CALIPER in `near`. The result has the most pairs that are
    possible and, of these, the smallest total distance.
    """
    cost = np.where(exact[0][:, None] == exact[1][None, :], 0.0, _FORBIDDEN)
    if near is not None:
        spread = np.concatenate(near).std(ddof=1)
        apart = np.abs(near[0][:, None] - near[1][None, :]) / (spread or 1.0)
        cost = np.where(apart <= CALIPER, cost + apart, _FORBIDDEN)
    a, b = linear_sum_assignment(np.minimum(cost, _FORBIDDEN))
    kept = cost[a, b] < _FORBIDDEN
    return a[kept], b[kept]


@dataclass(frozen=True)
class Adjusted:
    """Differences with the confounders held fixed, with intervals and tests, arrays [words]; NaN is undefined."""

    value: Floats
    low: Floats
    high: Floats
    p_value: Floats
    equivalence_p: Floats
    names: npt.NDArray[np.int64]


def adjusted_difference(
    x: Floats,
    y: Floats,
    confounders: Floats,
    *,
    seed: int,
    draws: int = 9999,
    level: float = 0.95,
    margin: float = np.nan,
) -> Adjusted:
    """Return the coefficient of the group in a linear regression of values on the group and the confounders [n + m, k].

    x is [n, words], y is [m, words]. A member without a value is left out for that word. The interval is Student's t.
    The two-sided p permutes the residuals of a regression without the group; ties count as reached and the observed
    order is added. `equivalence_p` is that of two one-sided t tests against `margin`. NaN if too few members remain
    or if the confounders determine the group.
    Source: Freedman and Lane 1983, "A Nonstochastic Interpretation of Reported Significance Levels", JBES 1.
    """
    values = np.concatenate([x, y])
    in_a = np.repeat([1.0, 0.0], [len(x), len(y)])
    known = ~np.isnan(values)
    found = np.full((5, values.shape[1]), np.nan)
    patterns, pattern_of = np.unique(known, axis=1, return_inverse=True)
    for number, there in enumerate(patterns.T):
        if not there.any():
            continue
        words = np.flatnonzero(np.ravel(pattern_of) == number)
        basis, group = _without(confounders[there], in_a[there])
        free = int(there.sum()) - basis.shape[1] - 1
        if free >= 1 and group @ group > 1e-9:
            generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(10, number)))
            own = values[np.ix_(there, words)]
            found[:, words] = _regressed(own, basis, group, free, generator, draws, level, margin)
    value, low, high, p, equivalence_p = found
    return Adjusted(value, low, high, p, equivalence_p, known.sum(axis=0))


def _without(confounders: Floats, in_a: Floats) -> tuple[Floats, Floats]:
    """Return an orthonormal basis [n, rank] of a constant and the confounders, and the group's residuals [n] on it."""
    scaled = confounders - confounders.mean(axis=0)
    deviations = scaled.std(axis=0)
    columns = np.column_stack([np.ones(len(in_a)), scaled[:, deviations > 0] / deviations[deviations > 0]])
    left, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    basis = left[:, sizes > 1e-9 * sizes[0]]
    return basis, in_a - basis @ (basis.T @ in_a)


def _regressed(
    values: Floats,
    basis: Floats,
    group: Floats,
    free: int,
    generator: np.random.Generator,
    draws: int,
    level: float,
    margin: float,
) -> Floats:
    """Return coefficient, lower and upper limit, p and equivalence p of each word, [5, words]."""
    residuals = values - basis @ (basis.T @ values)
    coefficient = group @ residuals / (group @ group)
    error = np.sqrt(np.maximum((residuals**2).sum(axis=0) - coefficient**2 * (group @ group), 0) / free)
    error /= np.sqrt(group @ group)
    reach = stats.t.isf((1 - level) / 2, free) * error
    orders = generator.permuted(np.tile(np.arange(len(group)), (draws, 1)), axis=1)
    reached = np.zeros(values.shape[1])
    observed = _strength(residuals, basis.T[:, None], group[None])[0] - TIE
    for part in chunks(draws, max(values.shape[1], len(group))):
        drawn = _strength(residuals, basis.T[:, orders[part]], group[orders[part]])
        reached += np.count_nonzero(drawn >= observed, axis=0)
    p = (reached + 1) / (draws + 1)
    within = stats.t.sf(divided(margin - np.abs(coefficient), error), free)
    return np.stack([coefficient, coefficient - reach, coefficient + reach, p, within])


def _strength(residuals: Floats, basis: Floats, group: Floats) -> Floats:
    """Return the squared partial correlations [draws, words] of group [draws, n] and residuals [n, words].

    They are 0 if nothing varies.
    `basis` is [rank, draws, n]. Permuting the rows of `basis` and `group` equals the inverse permutation of the
    residuals.
    """
    inside = sum((one @ residuals) ** 2 for one in basis)
    left = (residuals**2).sum(axis=0) - inside
    squared = (group @ residuals) ** 2 / (group**2).sum(axis=1, keepdims=True)
    return np.asarray(np.divide(squared, left, out=np.zeros_like(squared), where=left > 1e-12))
