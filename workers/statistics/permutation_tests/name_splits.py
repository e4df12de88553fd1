"""The smallest p that a test over the splits of a number of names can give."""

import math

import numpy as np

from workers.statistics.units import Floats


def least_p_of_splits(x: Floats, y: Floats, *, draws: int) -> Floats:
    """Return the smallest two-sided p that `permute_names` can give for each word, [words].

    x and y are [names, words]; NaN if a name lacks the word. With all splits, p is the share of splits that only
    move names without the word or exchange the sides of those with it. With random splits it is 1/(draws + 1). NaN
    where all names of a group lack the word.
    """
    known = np.array([np.count_nonzero(~np.isnan(rates), axis=0) for rates in (x, y)])
    splits = math.comb(len(x) + len(y), len(x))
    distinct, word_of = np.unique(known, axis=1, return_inverse=True)
    least = [
        np.nan if not min(a, b) else _share(a, b, (len(x), len(y))) if splits <= draws else 1 / (draws + 1)
        for a, b in distinct.T.tolist()
    ]
    return np.array(least, dtype=np.float64)[np.ravel(word_of)]


def _share(a: int, b: int, sizes: tuple[int, int]) -> float:
    """Return the share among the splits with the word on both sides; a and b names of the groups have the word."""
    n, m = sizes
    lacking = n + m - a - b
    one_sided = _choose(lacking, n) + _choose(lacking, m)
    return (_choose(lacking, n - a) + _choose(lacking, n - b)) / (math.comb(n + m, n) - one_sided)


def _choose(of: int, some: int) -> int:
    return math.comb(of, some) if 0 <= some <= of else 0
