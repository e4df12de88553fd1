"""Distributions of ratings: a group that half of the raters give 0 and half 100 is not one that all give 50.

Pure functions on arrays, quick enough for a page, and the reading of a list. Cells of few raters are hidden.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from plumbline.spec.content import Rating as Row
from plumbline.spec.judgements import LEAST_RATERS, Floats, Judgements, Truths, judgements_of
from plumbline.spec.random_halves import halves
from plumbline.vocab.models import Rating

BINS = 10
SPLITS = 100


@dataclass(frozen=True, slots=True)
class Distribution:
    """The ratings of one group on one pair. All but the number of raters is empty if the raters are few."""

    group: str
    left: str
    right: str
    n: int
    mean: float | None = None
    sd: float | None = None
    histogram: tuple[int, ...] = ()
    """Raters in ten bins of equal width: 0 to below 10, and so on. 100 is in the last."""
    polarisation: float | None = None
    """0: all raters are in one bin. 1: half are in the first bin and half in the last."""

    @property
    def hidden(self) -> bool:
        return self.mean is None


@dataclass(frozen=True, slots=True)
class Reliability:
    """Split-half reliability of mean ratings, from 0 to 1; NaN if too few cells or raters allow an estimate."""

    overall: float
    by_group: Floats
    by_pair: Floats


def judgements_in(slug: str) -> Judgements:
    """Return the ratings of the list of that slug; empty arrays for an empty list.

    Raises SpecError for conflicting ratings.
    """
    columns = Rating.COLUMNS
    rows = Rating.objects.filter(word_list__slug=slug).order_by("position", "id").values_list(*columns)
    # The database holds what was checked on its way in.
    return judgements_of([Row.model_construct(**dict(zip(columns, row, strict=True))) for row in rows])


def distributions(judgements: Judgements, members: Truths | None = None) -> list[Distribution]:
    """Return the distribution of each rated group and pair, by group; `members` [annotators] chooses the raters."""
    values = judgements.values if members is None else judgements.values[members]
    found = []
    for row, group in enumerate(judgements.groups):
        for column, (left, right) in enumerate(judgements.pairs):
            own = values[:, row, column]
            own = own[~np.isnan(own)]
            if own.size:
                found.append(_distribution(group, left, right, own))
    return found


def _distribution(group: str, left: str, right: str, ratings: Floats) -> Distribution:
    if len(ratings) < LEAST_RATERS:
        return Distribution(group, left, right, len(ratings))
    histogram, _ = np.histogram(ratings, bins=BINS, range=(0, 100))
    return Distribution(
        group,
        left,
        right,
        len(ratings),
        mean=float(ratings.mean()),
        sd=float(ratings.std(ddof=1)),
        histogram=tuple(histogram.tolist()),
        polarisation=polarisation(histogram),
    )


def polarisation(histogram: npt.NDArray[np.int64]) -> float:
    """Return the ordinal dispersion of counts in ordered bins: 0 if all are in one, 1 if half are at either end.

    D = 2 sum_i d_i / (k - 1) over the first k - 1 bins, d_i = F_i up to a cumulated share F_i of 0.5, else 1 - F_i.
    Source: Leik 1966, "A Measure of Ordinal Consensus", Pacific Sociological Review 9 (consensus is 1 - D).
    """
    share = np.cumsum(histogram)[:-1] / histogram.sum()
    return float(2 * np.minimum(share, 1 - share).sum() / (len(histogram) - 1))


def reliability(values: Floats, seed: int = 0, splits: int = SPLITS) -> Reliability:
    """Return the split-half reliability of mean ratings of values [annotators, groups, pairs]: all, by group, by pair.

    Pearson's r of the halves' means over the cells, averaged over random halves, then stepped up to all raters:
    2r/(1 + r). If r is below 0, the formula has no lower bound, and the result is 0. Cells of few raters
    are left out. Source: Spearman 1910 and Brown 1910, British Journal of Psychology 3.
    """
    generator = np.random.default_rng(seed)
    enough = (~np.isnan(values)).sum(axis=0) >= LEAST_RATERS
    drawn = list(halves(np.where(enough, values, np.nan), generator, splits))
    one, other = (np.stack([two[side] for two in drawn]) for side in (0, 1))  # [splits, groups, pairs]
    return Reliability(
        overall=float(_stepped_up(one.reshape(splits, 1, -1), other.reshape(splits, 1, -1))[0]),
        by_group=_stepped_up(one, other),
        by_pair=_stepped_up(one.swapaxes(1, 2), other.swapaxes(1, 2)),
    )


def _stepped_up(one: Floats, other: Floats) -> Floats:
    """Return the Spearman-Brown value of the mean correlation along the last axis, [splits, rows, cells] -> [rows]."""
    known = ~(np.isnan(one) | np.isnan(other))
    count = known.sum(axis=-1, keepdims=True)

    def centred(values: Floats) -> Floats:
        filled = np.where(known, values, 0.0)
        return np.asarray(np.where(known, filled - filled.sum(axis=-1, keepdims=True) / np.maximum(count, 1), 0.0))

    x, y = centred(one), centred(other)
    spread = np.sqrt((x**2).sum(axis=-1) * (y**2).sum(axis=-1))
    told = (count[..., 0] >= 3) & (spread > 0)
    r = np.divide((x * y).sum(axis=-1), spread, out=np.zeros_like(spread), where=told)
    mean = np.divide(r.sum(axis=0), told.sum(axis=0), out=np.full(r.shape[1], np.nan), where=told.any(axis=0))
    floored = np.maximum(mean, 0)  # NaN stays NaN
    return np.asarray(2 * floored / (1 + floored))
