"""Standardised difference of the means of two sets of words."""

import numpy as np

from workers.statistics.intervals import expanded_tail
from workers.statistics.units import Floats

DDOF = 1


def effect_size(x: Floats, y: Floats) -> Floats:
    """Return d = (mean of x - mean of y) / standard deviation over both together: x [..., n], y [..., m] -> [...].

    The standard deviation is that of all values together with ddof = 1, as in the released code of SEAT and CEAT. It is
    not the pooled one within the sets, so |d| < 2. NaN if all values are equal.
    Source: Caliskan, Bryson and Narayanan 2017, "Semantics derived automatically from language corpora contain
    human-like biases", Science 356 (effect size); Kurita et al. 2019, section 3.
    """
    difference = x.mean(axis=-1) - y.mean(axis=-1)
    together = np.concatenate([x, y], axis=-1)
    spread = together.std(axis=-1, ddof=DDOF) if together.shape[-1] > DDOF else np.zeros(together.shape[:-1])
    # The standard deviation of equal values is a rounding error. Dividing by it would give an arbitrary number.
    varies = spread > 1e-12 * np.abs(together).max(axis=-1)
    return np.asarray(np.divide(difference, spread, out=np.full(difference.shape, np.nan), where=varies))


def sampling_variance(d: Floats, n: int, m: int) -> Floats:
    """Return the variance of a standardised mean difference of n and m values: (n + m)/(nm) + d^2 / (2(n + m)).

    Source: Hedges and Olkin 1985, "Statistical Methods for Meta-Analysis", section 5.E (large-sample variance).
    """
    return np.asarray((n + m) / (n * m) + d**2 / (2 * (n + m)))


def effect_interval(x: Floats, y: Floats, *, seed: int, resamples: int, level: float) -> tuple[float, float]:
    """Return the percentile interval of d for x [n] and y [m], with words drawn with replacement within each set.

    The percentiles are expanded for the smaller set, as in `bootstrap_interval`. NaN if a set has fewer than two
    words. Resamples without variance have no d and are left out.
    """
    if min(len(x), len(y)) < 2:
        return float("nan"), float("nan")
    generator = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(2, len(x), len(y))))
    drawn_x = x[generator.integers(len(x), size=(resamples, len(x)))]
    drawn_y = y[generator.integers(len(y), size=(resamples, len(y)))]
    found = effect_size(drawn_x, drawn_y)
    found = found[~np.isnan(found)]
    if not found.size:
        return float("nan"), float("nan")
    tail = expanded_tail(min(len(x), len(y)), level)
    low, high = np.quantile(found, [tail, 1 - tail])
    return float(low), float(high)
