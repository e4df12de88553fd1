"""Two wordings compared: do people rate groups otherwise if they are asked otherwise? Pure functions."""

from dataclasses import dataclass

import numpy as np

from plumbline.spec.judgements import Floats, Judgements, means

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
    own = _difference(first, second)
    if own is None:
        return None
    dice, everybody = np.random.default_rng(seed), np.concatenate([first, second])
    drawn = [_exchanged(everybody, len(first), dice) for _ in range(draws)]
    known = [value for value in drawn if value is not None]
    exceeding = sum(value >= own - 1e-12 for value in known)
    return Wordings(
        cells=int(_both(first, second)[0].size),
        correlation=_correlation(*_both(first, second)),
        difference=own,
        by_chance=float(np.mean(known)) if known else float("nan"),
        p=(exceeding + 1) / (len(known) + 1),
    )


def _aligned(one: Judgements, other: Judgements) -> tuple[Floats, Floats]:
    """Return the ratings of both on the groups and pairs that both have."""
    groups = [group for group in one.groups if group in other.groups]
    pairs = [pair for pair in one.pairs if pair in other.pairs]

    def chosen(judged: Judgements) -> Floats:
        rows, columns = [judged.groups.index(group) for group in groups], [judged.pairs.index(pair) for pair in pairs]
        return np.asarray(judged.values[:, rows][:, :, columns])

    return chosen(one), chosen(other)


def _both(first: Floats, second: Floats) -> tuple[Floats, Floats]:
    one, other = means(first), means(second)
    known = ~(np.isnan(one) | np.isnan(other))
    return one[known], other[known]


def _difference(first: Floats, second: Floats) -> float | None:
    one, other = _both(first, second)
    return float(np.abs(one - other).mean()) if one.size else None


def _exchanged(everybody: Floats, size: int, dice: np.random.Generator) -> float | None:
    order = dice.permutation(len(everybody))
    return _difference(everybody[order[:size]], everybody[order[size:]])


def _correlation(one: Floats, other: Floats) -> float | None:
    if one.size < 3 or not (one.std() and other.std()):
        return None
    return float(np.corrcoef(one, other)[0, 1])
