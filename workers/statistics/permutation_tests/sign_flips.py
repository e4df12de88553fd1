"""The share of sign flips of whole units whose sum reaches the observed one, exactly or from random flips."""

from collections.abc import Iterator

import numpy as np

from workers.statistics.units import Floats

TIE = 1e-9
"""The same numbers summed in another order differ by about 1e-15. A tie counts as "at least as extreme"."""
PATTERNS_AT_ONCE = 4096


def directions(values: Floats) -> Floats:
    """Return the rows of values [cells, units] scaled to length 1; a row of zeros stays as it is."""
    lengths = np.sqrt((values**2).sum(axis=1, keepdims=True))
    scaled = np.zeros_like(values)
    np.divide(values, lengths, out=scaled, where=lengths > 0)
    return scaled


def share_reaching(values: Floats) -> Floats:
    """Return the share of all 2^k sign flips of values [cells, k <= 24] that sum to at least the observed sum, [cells].

    The sums of one half of the units are looked up among the sorted sums of the other half.
    Source: Horowitz and Sahni 1974, "Computing Partitions with Applications to the Knapsack Problem", section 3.
    """
    scaled = directions(values)
    observed = scaled.sum(axis=1) - TIE
    half = values.shape[1] // 2
    left, right = (np.sort(_sums(part), axis=1) for part in (scaled[:, :half], scaled[:, half:]))
    return np.array([_share(*each) for each in zip(left, right, observed.tolist(), strict=True)], dtype=np.float64)


def _share(left: Floats, right: Floats, observed: float) -> float:
    below = np.searchsorted(right, observed - left)
    return 1.0 - float(below.sum()) / (len(left) * len(right))


def _sums(values: Floats) -> Floats:
    """Return the sums of values [cells, k] under all sign patterns, [cells, 2^k]."""
    sums = np.zeros((len(values), 1))
    for column in values.T:
        sums = np.concatenate([sums - column[:, None], sums + column[:, None]], axis=1)
    return sums


def random_patterns(units: int, seed: int, draws: int) -> Iterator[Floats]:
    """Yield random sign patterns [patterns, units], `draws` in all.

    They depend only on the seed and the number of units.
    """
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(1, units)))
    for start in range(0, draws, PATTERNS_AT_ONCE):
        size = (min(PATTERNS_AT_ONCE, draws - start), units)
        yield np.where(generator.integers(0, 2, size=size), -1.0, 1.0)
