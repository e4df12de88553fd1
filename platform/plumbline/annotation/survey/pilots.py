"""Two wordings compared: do people rate groups otherwise if they are asked otherwise? Pure functions."""

from dataclasses import dataclass

import numpy as np

from plumbline.spec.judgements import LEAST_RATERS, Floats, Judgements, Truths, means

DRAWS = 999


@dataclass(frozen=True, slots=True)
class Wordings:
    """The comparison over cells that both wordings have, a cell being a group on a pair.

    `difference` is the mean absolute difference of the cells' means in points; `by_chance` is what exchanging raters
    between the wordings gives on average, and `p` the share of exchanges with at least this difference.
    """

    cells: int
    correlation: float | None
    difference: float
    by_chance: float
    p: float


def compared(one: Judgements, other: Judgements, seed: int = 0, draws: int = DRAWS) -> Wordings | None:
    """Compare two lists with the same groups and pairs; None if no cell has enough raters in both.

    Raters are the unit: p = (b + 1) / (draws + 1), over random exchanges of whole raters.
    """
    first, second = _aligned(one, other)
    values = np.concatenate([first, second])
    split = np.arange(len(values)) < len(first)
    own = _differences(values, split[None])[0]
    if np.isnan(own):
        return None
    drawn = _differences(values, np.random.default_rng(seed).permuted(np.tile(split, (draws, 1)), axis=1))
    known = drawn[~np.isnan(drawn)]
    cells = _both(first, second)
    return Wordings(
        cells=int(cells[0].size),
        correlation=_correlation(*cells),
        difference=float(own),
        by_chance=float(known.mean()) if known.size else float("nan"),
        p=float((known >= own - 1e-12).sum() + 1) / (known.size + 1),
    )


def _aligned(one: Judgements, other: Judgements) -> tuple[Floats, Floats]:
    """Return the ratings of both on the groups and pairs that both have, [raters, cells]."""
    groups = [group for group in one.groups if group in other.groups]
    pairs = [pair for pair in one.pairs if pair in other.pairs]

    def chosen(judged: Judgements) -> Floats:
        rows, columns = [judged.groups.index(group) for group in groups], [judged.pairs.index(pair) for pair in pairs]
        return judged.values[:, rows][:, :, columns].reshape(len(judged.annotators), -1)

    return chosen(one), chosen(other)


def _both(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    """Return the means of the cells that have enough raters in both."""
    one, other = means(first), means(second)
    known = ~(np.isnan(one) | np.isnan(other))
    return one[known], other[known]


def _differences(values: Floats, splits: Truths) -> Floats:
    """Return the mean absolute difference of the cells' means for each split of the raters, [splits]; NaN: no cell.

    `splits` says who is in the first part, [splits, raters].
    """
    known, filled = (~np.isnan(values)).astype(float), np.nan_to_num(values)
    counts, sums = splits @ known, splits @ filled
    others, other_sums = known.sum(axis=0) - counts, filled.sum(axis=0) - sums
    enough = (counts >= LEAST_RATERS) & (others >= LEAST_RATERS)
    apart = np.abs(sums / np.maximum(counts, 1) - other_sums / np.maximum(others, 1))
    cells = enough.sum(axis=1)
    return np.where(cells > 0, np.where(enough, apart, 0.0).sum(axis=1) / np.maximum(cells, 1), np.nan)


def _correlation(one: Floats, other: Floats) -> float | None:
    if one.size < 3 or not (one.std() and other.std()):
        return None
    return float(np.corrcoef(one, other)[0, 1])
