"""Effects that a test detects with 80% power, computed before the launch.

An effect is detected if its p is at most that of the family and its estimate exceeds the margin (METHODS 1a). For each
simulated sample without an effect we compute the smallest effect that it would have shown. The 80% quantile of these is
the detectable effect.
"""

from functools import lru_cache
from math import ceil, floor

import numpy as np
import numpy.typing as npt

POWER = 0.8
REAL = 0.05
"""The assumed share of real effects in a family."""
ENUMERATED_UP_TO = 12
"""The largest number of units whose sign patterns are enumerated.

With more units, a sign-flip test has the power of a t test.
"""
SAMPLES = 2000
SAMPLES_ENUMERATED = 1000
SLACK = 1e-9
"""The tolerance for rounding in a quotient of two p-values."""

Floats = npt.NDArray[np.float64]


def level_of_family(alpha: float, members: int) -> float:
    """Return the p that a member needs if 5% of the members (at least one) are real and 80% of these are detected."""
    return alpha * max(1.0, REAL * POWER * members) / members


def fewest_unanimous(least_p: float, members: int, alpha: float) -> int:
    """Return how many members must reach the smallest p before any is significant. More than `members`: none can be.

    ceil(least p x members / alpha), by Benjamini and Hochberg 1995.
    """
    return max(1, ceil(least_p * members / alpha - SLACK))


def by_t(error: float, degrees: float, p: float, margin: float = 0.0) -> float:
    """Return the effect that a t test detects for an estimate with this standard error, in the unit of the error."""
    from scipy.special import stdtrit  # Imported here because loading it takes most of a second.

    random = np.random.default_rng(0)
    estimates = random.normal(size=SAMPLES)
    errors = np.sqrt(random.chisquare(degrees, SAMPLES) / degrees) if np.isfinite(degrees) else np.ones(SAMPLES)
    needed = np.maximum(stdtrit(min(degrees, 1e9), 1 - p / 2) * errors * error, margin)
    return float(np.quantile(needed - estimates * error, POWER))


def by_sign_flips(spread: float, units: int, p: float, margin: float = 0.0) -> float:
    """Return the detectable mean over units with this standard deviation, by sign flips.

    `p` is at least 2^(1 - units).
    """
    if units > ENUMERATED_UP_TO:
        return by_t(spread / np.sqrt(units), units - 1, p, margin)
    means, shifts = _shifts(units, floor(p * 2 ** (units - 1) + SLACK))
    return float(np.quantile(np.maximum(shifts, margin / spread - means), POWER)) * spread


@lru_cache(maxsize=64)
def _shifts(units: int, patterns: int) -> tuple[Floats, Floats]:
    """Return means of standard normal samples, and the shift of each at which `patterns` flips reach its sum.

    A flip of z + d reaches the sum of z + d if d is at most (flipped sum of z - sum of z) / (units - sum of signs). The
    sample itself counts as one pattern.
    """
    signs = np.where((np.arange(1, 2**units)[:, None] >> np.arange(units)) & 1, -1.0, 1.0)
    samples = np.random.default_rng(0).normal(size=(SAMPLES_ENUMERATED, units))
    limits = (samples @ signs.T - samples.sum(axis=1, keepdims=True)) / (units - signs.sum(axis=1))
    reached = np.partition(limits, -patterns, axis=1)[:, -patterns]
    return samples.mean(axis=1), reached
