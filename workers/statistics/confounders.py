"""Differences between two groups while other properties of their members are held fixed."""

import itertools
import math
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
ROUNDING = 1e-9
"""Residuals of this share of the values are nothing but rounding."""
ENTANGLED = "too few names, or the groups are told apart by this alone:"
FITTED = "nothing is left to test with, because the names have one rate or are fitted exactly by the group and"
"""Why a difference cannot be adjusted. The names of the confounders follow."""


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
    """Differences with the confounders held fixed, with intervals and tests, arrays [words]; NaN is undefined.

    `reason` says why a difference is undefined; it is empty for the others.
    """

    value: Floats
    low: Floats
    high: Floats
    p_value: Floats
    equivalence_p: Floats
    least_p: Floats
    names: npt.NDArray[np.int64]
    reason: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Design:
    """A regression of n members, the same for several words."""

    basis: Floats  # [n, rank]: orthonormal, of a constant and the confounders
    group: Floats  # [n]: what is left of the group besides the basis
    orders: npt.NDArray[np.intp]  # [orders, n]: those of the residuals
    least_p: float
    is_exact: bool
    """Whether `orders` are all orders, the observed one among them."""

    @property
    def free(self) -> int:
        """The degrees of freedom of the residuals."""
        return len(self.group) - int(self.basis.shape[1]) - 1

    @property
    def has_test(self) -> bool:
        return self.free >= 1 and bool(self.group @ self.group > 1e-9)

    def projected(self, values: Floats) -> Floats:
        """Return the residuals of a regression on the confounders alone, [n, words]."""
        return np.asarray(values - self.basis @ (self.basis.T @ values))


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
    The two-sided p permutes the residuals of a regression without the group; ties count as reached. It takes all orders
    if there are at most `draws`, else random ones and the observed one. `least_p` is the smallest p that these orders
    can give. `equivalence_p` is that of two one-sided t tests against `margin`. NaN with a reason if too few members
    remain, if the confounders determine the group, or if the regression fits all values exactly: then nothing is left
    to test with.
    Source: Freedman and Lane 1983, "A Nonstochastic Interpretation of Reported Significance Levels", JBES 1.
    """
    values = np.concatenate([x, y])
    in_a = np.repeat([1.0, 0.0], [len(x), len(y)])
    known = ~np.isnan(values)
    found = np.full((6, values.shape[1]), np.nan)
    reason = np.full(values.shape[1], ENTANGLED, dtype=object)
    patterns, pattern_of = np.unique(known, axis=1, return_inverse=True)
    for number, there in enumerate(patterns.T):
        if not there.any():
            continue
        words = np.flatnonzero(np.ravel(pattern_of) == number)
        generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(10, number)))
        design = _design(confounders[there], in_a[there], generator, draws)
        if design.has_test:
            found[:, words] = _regressed(values[np.ix_(there, words)], design, level, margin)
            reason[words] = np.where(np.isnan(found[0, words]), FITTED, "")
    value, low, high, p, equivalence_p, least_p = found
    return Adjusted(value, low, high, p, equivalence_p, least_p, known.sum(axis=0), tuple(reason.tolist()))


def _design(confounders: Floats, in_a: Floats, generator: np.random.Generator, draws: int) -> _Design:
    basis, group = _without(confounders, in_a)
    n, possible = len(in_a), math.factorial(len(in_a))
    is_exact = possible <= draws
    each = np.tile(np.arange(n), (1 if is_exact else draws, 1))
    orders = np.array(list(itertools.permutations(range(n)))) if is_exact else generator.permuted(each, axis=1)
    least = _alike(np.column_stack([confounders, in_a])) / possible
    return _Design(basis, group, orders, least if is_exact else max(least, 1 / (draws + 1)), is_exact)


def _alike(rows: Floats) -> int:
    """Return the number of orders of the members, rows [n, k + 1], that leave the regression as it is.

    Members of a group with the same confounders can be exchanged, and two groups with the same confounders as a whole.
    The last column is the group. The observed p counts all these orders, so no p is smaller than their share.
    """
    _, times = np.unique(rows, axis=0, return_counts=True)
    a, b = (sorted(rows[rows[:, -1] == side, :-1].tolist()) for side in (1, 0))
    exchanged: int = math.prod(math.factorial(count) for count in times.tolist())
    return exchanged * (1 + (a == b))


def _without(confounders: Floats, in_a: Floats) -> tuple[Floats, Floats]:
    """Return an orthonormal basis [n, rank] of a constant and the confounders, and the group's residuals [n] on it."""
    scaled = confounders - confounders.mean(axis=0)
    deviations = scaled.std(axis=0)
    columns = np.column_stack([np.ones(len(in_a)), scaled[:, deviations > 0] / deviations[deviations > 0]])
    left, sizes, _ = np.linalg.svd(columns, full_matrices=False)
    basis = left[:, sizes > 1e-9 * sizes[0]]
    return basis, in_a - basis @ (basis.T @ in_a)


def _regressed(values: Floats, design: _Design, level: float, margin: float) -> Floats:
    """Return coefficient, limits, p, equivalence p and least p of each word, [6, words]; NaN for an exact fit."""
    residuals, group = design.projected(values), design.group
    coefficient = group @ residuals / (group @ group)
    left = np.linalg.norm(residuals - np.outer(group, coefficient), axis=0)
    error = left / np.sqrt(design.free * (group @ group))
    reach = stats.t.isf((1 - level) / 2, design.free) * error
    within = stats.t.sf(divided(margin - np.abs(coefficient), error), design.free)
    p = _order_p(residuals, design)
    found = np.stack(
        [coefficient, coefficient - reach, coefficient + reach, p, within, np.full(len(p), design.least_p)]
    )
    return np.where(left > ROUNDING * np.linalg.norm(values, axis=0), found, np.nan)


def _order_p(residuals: Floats, design: _Design) -> Floats:
    """Return the share of orders of residuals [n, words] in which the group explains as much of them, [words]."""
    basis, group, orders = design.basis.T, design.group, design.orders
    reached = np.zeros(residuals.shape[1])
    observed = _strength(residuals, basis[:, None], group[None])[0] - TIE
    for part in chunks(len(orders), max(residuals.shape)):
        drawn = _strength(residuals, basis[:, orders[part]], group[orders[part]])
        reached += np.count_nonzero(drawn >= observed, axis=0)
    added = 0 if design.is_exact else 1
    return np.asarray((reached + added) / (len(orders) + added))


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
