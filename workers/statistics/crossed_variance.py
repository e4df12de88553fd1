"""The variance of a mean over observations that are clustered in several ways at once."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from workers.statistics.units import Floats, Positions


def crossed_variance(values: Floats, clusters: Sequence[Positions]) -> float:
    """Return the variance of the mean of values [n], which are centred, under clusters in several ways.

    `clusters` holds the cluster numbers [n] of each way. The result is the sum of the variances of the single ways,
    minus those of the intersections of two ways, plus those of three, and so on. Each is multiplied by k / (k - 1) for
    k clusters. It is never less than the variance of one way alone.
    Source: Cameron, Gelbach and Miller 2011, "Robust Inference With Multiway Clustering", JBES 29, section 2.
    """
    alone = [_variance(values, own) for own in clusters]
    crossed = [
        (-1) ** (size + 1) * _variance(values, _intersection(ways))
        for size in range(2, len(clusters) + 1)
        for ways in combinations(clusters, size)
    ]
    return float(max([sum(alone) + sum(crossed), *alone]))


def _intersection(ways: Sequence[Positions]) -> Positions:
    """Return the numbers [n] of the clusters formed by several ways at once.

    Comparing one column of integers is much faster than comparing several.
    """
    both = ways[0]
    for other in ways[1:]:
        both = np.unique(both * (other.max() + 1) + other, return_inverse=True)[1]
    return both


def _variance(values: Floats, clusters: Positions) -> float:
    sums = np.bincount(clusters, weights=values)
    count = np.count_nonzero(np.bincount(clusters))
    return float((sums**2).sum() / len(values) ** 2 * count / max(count - 1, 1))
