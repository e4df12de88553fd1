"""The variance of a mean over observations that hang together in several ways at once."""

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from workers.statistics.units import Floats, Positions


def crossed_variance(values: Floats, clusters: Sequence[Positions]) -> float:
    """Of the mean of values [n] that have mean 0; `clusters` numbers the cluster of each, [n], once for each way.

    The sum over the ways, minus that over their intersections by two, plus that by three, and so on; each with
    k / (k - 1) for k clusters. Where every value is a cluster by itself that is the variance of a mean; it is never
    less than that of one way alone.

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
    """Numbers of the clusters by several ways at once; columns of whole numbers are compared much faster as one."""
    both = ways[0]
    for other in ways[1:]:
        both = np.unique(both * (other.max() + 1) + other, return_inverse=True)[1]
    return both


def _variance(values: Floats, clusters: Positions) -> float:
    sums = np.bincount(clusters, weights=values)
    count = np.count_nonzero(np.bincount(clusters))
    return float((sums**2).sum() / len(values) ** 2 * count / max(count - 1, 1))
