"""Success rates of words with names, and the relative difference of two groups of names."""

from typing import Any

import numpy as np
import numpy.typing as npt

from workers.statistics.units import Floats


def success_rates(chosen: npt.ArrayLike, shown: npt.ArrayLike) -> Floats:
    """Return SR = chosen/shown, element by element; NaN if a word was never shown with a name.

    Source: An et al. 2023, section 3.2, equation 1.
    """
    chosen, shown = np.asarray(chosen, dtype=np.float64), np.asarray(shown, dtype=np.float64)
    return divided(chosen, shown)


def mean_rates(rates: Floats) -> Floats:
    """Return the mean of rates [names, words] over the names that have the word, [words]; NaN if none has."""
    known = ~np.isnan(rates)
    sums, counts = np.where(known, rates, 0.0).sum(axis=0), known.sum(axis=0)
    return divided(sums, counts)


def relative_difference(mean_a: Floats, mean_b: Floats) -> Floats:
    """Return RD = (a - b) / ((a + b)/2), between -2 and 2; NaN if both are 0. Source: An et al.

    2023, equations 2-4.
    """
    sums = mean_a + mean_b
    return divided(2 * (mean_a - mean_b), sums)


def divided(above: Floats, below: npt.NDArray[Any]) -> Floats:
    """Return above/below, element by element; NaN if `below` is not positive."""
    found = np.full(below.shape, np.nan)
    np.divide(above, below, out=found, where=below > 0)
    return found
