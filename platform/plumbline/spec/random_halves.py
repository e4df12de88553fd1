"""Random halves of the raters, to measure how far people agree among themselves."""

from collections.abc import Iterator

import numpy as np

from plumbline.spec.judgements import Floats, Truths


def halves(values: Floats, generator: np.random.Generator, splits: int) -> Iterator[tuple[Floats, Floats]]:
    """Yield the mean ratings [groups, pairs] of two random halves of each group's raters (10 and 11 of 21).

    `values` [annotators, groups, pairs] holds NaN if a person gave no rating. A half has NaN if none of its
    raters rated.
    """
    raters = ~np.isnan(values).all(axis=2)
    for _ in range(splits):
        keys = np.where(raters, generator.random(raters.shape), np.inf)
        place = keys.argsort(axis=0).argsort(axis=0)
        first = place < raters.sum(axis=0) // 2
        yield _mean(values, first & raters), _mean(values, ~first & raters)


def _mean(values: Floats, chosen: Truths) -> Floats:
    known = ~np.isnan(values) & chosen[:, :, None]
    count = known.sum(axis=0)
    mean: Floats = np.full(count.shape, np.nan)
    np.divide(np.where(known, values, 0.0).sum(axis=0), count, out=mean, where=count > 0)
    return mean
