"""Estimates of cells: mean, interval, tests, and the reason for a missing value."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from workers.statistics.intervals import t_interval
from workers.statistics.nesting import nested_means
from workers.statistics.permutation_tests.sign_flip_tests import equivalence, sign_flip
from workers.statistics.units import Floats

NO_ITEM = "no scorable item"
ONE_UNIT = "one unit: no interval and no test"
ALL_ALIKE = "all units agree: no interval"


@dataclass(frozen=True)
class Estimates:
    """Estimates as arrays [cells]. NaN is undefined, and `reason` says why; it is empty if everything is defined."""

    value: Floats
    ci_low: Floats
    ci_high: Floats
    p_value: Floats
    familywise_p_value: Floats
    least_p: Floats
    equivalence_p: Floats
    n: npt.NDArray[np.int64]
    n_units: npt.NDArray[np.int64]
    n_frames: npt.NDArray[np.int64]
    reason: tuple[str, ...]


def estimate_cells(
    values: Floats,
    units: npt.ArrayLike | None = None,
    frames: npt.ArrayLike | None = None,
    *,
    seed: int,
    family: npt.ArrayLike | None = None,
    margin: float = np.nan,
    draws: int = 9999,
    level: float = 0.95,
) -> Estimates:
    """Estimate the mean of each cell of values [cells, templates] and test it; NaN marks an item that cannot be scored.

    `units` [templates] numbers the unit of generalisation of each template, `frames` the frame that it is one wording
    of (None: each is its own). Templates are averaged in their frame and frames in their unit; the value is the mean
    over the units, each with the same weight, so that value, interval and tests are about one number. `family` [cells]
    labels what is corrected together (None: all). `margin` is the smallest effect that matters (NaN: none): the
    equivalence p is that of |mean| < margin. Raises ValueError if shapes disagree or a value is infinite.
    """
    means = nested_means(values, units, frames).means
    test = sign_flip(means, seed=seed, family=family, draws=draws)
    return replace(
        describe_cells(values, units, frames, level=level),
        p_value=test.p_value,
        familywise_p_value=test.familywise_p_value,
        least_p=test.least_p,
        equivalence_p=equivalence(means, np.full(len(values), margin), seed=seed, draws=draws),
    )


def describe_cells(
    values: Floats, units: npt.ArrayLike | None = None, frames: npt.ArrayLike | None = None, *, level: float = 0.95
) -> Estimates:
    """Return the estimates of `estimate_cells` without tests: values, intervals and counts."""
    nested = nested_means(values, units, frames)
    low, high = t_interval(nested.means, level)
    none = np.full(len(values), np.nan)
    return Estimates(
        value=nested.means.means,
        ci_low=low,
        ci_high=high,
        p_value=none,
        familywise_p_value=none,
        least_p=none,
        equivalence_p=none,
        n=nested.n,
        n_units=nested.means.n_units,
        n_frames=nested.n_frames,
        reason=_reasons(nested.means.n_units, low),
    )


def _reasons(n_units: npt.NDArray[np.int64], low: Floats) -> tuple[str, ...]:
    """Return why a value or its interval is missing, [cells]; empty if both are defined."""
    of_few = {0: NO_ITEM, 1: ONE_UNIT}
    return tuple(
        of_few.get(units, ALL_ALIKE if none else "")
        for units, none in zip(n_units.tolist(), np.isnan(low).tolist(), strict=True)
    )
