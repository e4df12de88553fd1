"""Which effect a test detects with 80% power, before anything was asked.

An effect is detected when its p is at most that of the family and its estimate is beyond the margin (METHODS 1a). For
samples drawn without an effect we compute how large an effect each would have shown: the 80% quantile is detectable.
"""

from functools import lru_cache
from math import ceil, floor

import numpy as np
import numpy.typing as npt

POWER = 0.8
REAL = 0.05
"""The share of a family that is assumed to be real."""
ENUMERATED_UP_TO = 12
"""Units whose sign patterns are run through; with more of them a sign-flip test has the power of a t test."""
SAMPLES = 2000
SAMPLES_ENUMERATED = 1000
SLACK = 1e-9
"""Rounding in a quotient of two p-values."""

Floats = npt.NDArray[np.float64]


def level_of_family(alpha: float, members: int) -> float:
    """The p that a member needs where 5% of them are real and 80% of these are found; at least one is."""
    return alpha * max(1.0, REAL * POWER * members) / members


def fewest_unanimous(least_p: float, members: int, alpha: float) -> int:
    """How many members must have the smallest p for any of them to be significant; more than `members`: none can be.

    ceil(least p x members / alpha), by Benjamini and Hochberg 1995.
    """
    return max(1, ceil(least_p * members / alpha - SLACK))


def by_t(error: float, degrees: float, p: float, margin: float = 0.0) -> float:
    """Of an estimate with this standard error, tested by t: the effect, in the unit of the error."""
    from scipy.special import stdtrit  # Only where it is needed: loading it takes most of a second.

    random = np.random.default_rng(0)
    estimates = random.normal(size=SAMPLES)
    errors = np.sqrt(random.chisquare(degrees, SAMPLES) / degrees) if np.isfinite(degrees) else np.ones(SAMPLES)
    needed = np.maximum(stdtrit(min(degrees, 1e9), 1 - p / 2) * errors * error, margin)
    return float(np.quantile(needed - estimates * error, POWER))


def by_sign_flips(spread: float, units: int, p: float, margin: float = 0.0) -> float:
    """Of the mean over units with this standard deviation, tested by flipping signs; `p` is at least 2^(1 - units)."""
    if units > ENUMERATED_UP_TO:
        return by_t(spread / np.sqrt(units), units - 1, p, margin)
    means, shifts = _shifts(units, floor(p * 2 ** (units - 1) + SLACK))
    return float(np.quantile(np.maximum(shifts, margin / spread - means), POWER)) * spread


@lru_cache(maxsize=64)
def _shifts(units: int, patterns: int) -> tuple[Floats, Floats]:
    """Means of standard normal samples, and by how much each must be shifted for `patterns` flips to reach its sum.

    A flip of z + d reaches the sum of z + d as long as d is at most (flipped sum of z - sum of z) / (units - sum of
    signs). The sample itself is one of the patterns.
    """
    signs = np.where((np.arange(1, 2**units)[:, None] >> np.arange(units)) & 1, -1.0, 1.0)
    samples = np.random.default_rng(0).normal(size=(SAMPLES_ENUMERATED, units))
    limits = (samples @ signs.T - samples.sum(axis=1, keepdims=True)) / (units - signs.sum(axis=1))
    reached = np.partition(limits, -patterns, axis=1)[:, -patterns]
    return samples.mean(axis=1), reached
