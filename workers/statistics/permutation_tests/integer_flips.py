"""The exact sign-flip test of whole numbers, such as how many more answers of a unit are right after than before."""

import numpy as np

from workers.statistics.units import Floats


def flipped_sums_p(changes: Floats) -> tuple[float, float]:
    """Return the two-sided p of the sum of whole numbers [units] under random signs, and the smallest p possible.

    p is the share of all sign assignments whose sum is at least as far from 0. It is exact: the distribution of the sum
    is built number by number. With numbers of -1, 0 and 1 this is McNemar's exact test. Both are 1 without a change.
    Source: McNemar 1947; Fisher 1935, "The Design of Experiments", section 21.
    """
    sizes = np.abs(np.rint(changes)).astype(np.int64)
    total, chances = int(sizes.sum()), np.ones(1)
    for size in sizes[sizes > 0].tolist():
        longer = np.zeros(len(chances) + 2 * size)
        longer[: len(chances)] += chances / 2
        longer[2 * size :] += chances / 2
        chances = longer
    sums = np.arange(-total, total + 1)
    observed = abs(int(np.rint(changes).sum()))
    return float(min(1.0, chances[np.abs(sums) >= observed].sum())), float(min(1.0, 2 * chances[0]))
