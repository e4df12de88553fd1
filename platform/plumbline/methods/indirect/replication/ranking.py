"""Ranks of targets for a gender by the mean of their scores with its words (Tables 3.3, 3.4, A.5 to A.8)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Scores:
    """One statistic of targets and words, [targets, words], without missing values."""

    targets: list[str]
    words: list[str]
    value: Floats
    q: Floats
    n: int
    """The smallest number of names or templates behind the values."""

    def only(self, targets: Collection[str], words: Collection[str]) -> "Scores":
        rows = [place for place, target in enumerate(self.targets) if target in targets]
        columns = [place for place, word in enumerate(self.words) if word in words]
        at = np.ix_(rows, columns)
        kept = [self.targets[place] for place in rows], [self.words[place] for place in columns]
        return Scores(*kept, self.value[at], self.q[at], self.n)


@dataclass(frozen=True, slots=True)
class TargetRank:
    """The rank of a target for one gender: by the mean over the gender's words, and by single words."""

    target: str
    value: float
    lowest: float
    highest: float
    q: float | None
    """The largest q of the words. Below a level, every word is significant at that level."""
    n: int
    rank: int
    """1 is linked most with the gender. Equal values share the better rank."""
    best: int
    worst: int
    """The best and the worst rank by a single word."""


def both(
    direct: pl.DataFrame, indirect: pl.DataFrame, targets: Sequence[str], words: Sequence[str]
) -> tuple[Scores, Scores]:
    """Return the cells (results.grid.CELLS) of both statistics as tables of the same targets and words.

    Words without any value in one of them are excluded, then targets without a value for a remaining word.
    """
    tables = [_table(cells, targets, words) for cells in (direct, indirect)]
    known = [~np.isnan(value) for value, _ in tables]
    columns = np.asarray(known[0].any(axis=0) & known[1].any(axis=0))
    rows = np.asarray(known[0][:, columns].all(axis=1) & known[1][:, columns].all(axis=1) & columns.any())
    at = np.ix_(rows, columns)
    kept = _chosen(targets, rows), _chosen(words, columns)
    one, other = (
        Scores(*kept, value[at], q[at], _fewest(cells))
        for (value, q), cells in zip(tables, (direct, indirect), strict=True)
    )
    return one, other


def _table(cells: pl.DataFrame, targets: Sequence[str], words: Sequence[str]) -> tuple[Floats, Floats]:
    """Return values and q, each [targets, words], with NaN for missing ones."""
    found = np.full((2, len(targets), len(words)), np.nan)
    rows, columns = ({label: place for place, label in enumerate(labels)} for labels in (targets, words))
    for target, word, value, q in cells.select("group_a", "attribute", "value", "q_value").iter_rows():
        if target in rows and word in columns:
            found[:, rows[target], columns[word]] = [np.nan if one is None else one for one in (value, q)]
    return found[0], found[1]


def _chosen(labels: Sequence[str], kept: npt.NDArray[np.bool_]) -> list[str]:
    return [label for label, one in zip(labels, kept, strict=True) if one]


def _fewest(cells: pl.DataFrame) -> int:
    known = cells.drop_nulls("value")["n"].drop_nulls().to_list()
    return min(known, default=0)


def target_ranks(scores: Scores) -> list[TargetRank]:
    """Return the targets by the mean over the words, the highest first."""
    if not scores.targets or not scores.words:
        return []
    means, alone = scores.value.mean(axis=1), ranks(scores.value)
    of_means = ranks(means[:, None])[:, 0]
    order = sorted(range(len(means)), key=lambda place: (of_means[place], scores.targets[place]))
    return [_target_rank(scores, place, float(means[place]), int(of_means[place]), alone[place]) for place in order]


def _target_rank(scores: Scores, place: int, mean: float, rank: int, alone: npt.NDArray[np.int64]) -> TargetRank:
    values, largest = scores.value[place], float(scores.q[place].max())
    return TargetRank(
        target=scores.targets[place],
        value=mean,
        lowest=float(values.min()),
        highest=float(values.max()),
        q=None if np.isnan(largest) else largest,
        n=scores.n,
        rank=rank,
        best=int(alone.min()),
        worst=int(alone.max()),
    )


def ranks(values: Floats) -> npt.NDArray[np.int64]:
    """Return the ranks within each column [targets, k]: 1 plus the number of larger values."""
    above = values[None, :, :] > values[:, None, :]
    return np.asarray(above.sum(axis=1) + 1, dtype=np.int64)


def coherence(scores: Scores) -> float | None:
    """Return the mean Spearman's rho of the words' orders over pairs of words.

    None with a single word, or if a word's scores do not vary.
    """
    if len(scores.words) < 2 or len(scores.targets) < 2:
        return None
    places = np.asarray(ranks(scores.value) - ranks(-scores.value), dtype=np.float64)  # ties get their mean rank
    if not places.std(axis=0).all():
        return None
    rho = np.atleast_2d(np.corrcoef(places, rowvar=False))
    return float(rho[np.triu_indices(len(rho), 1)].mean())


def shared(one: Sequence[TargetRank], other: Sequence[TargetRank], most: int) -> set[str]:
    """Return the targets among the first `most` of both orders."""
    return {row.target for row in one[:most]} & {row.target for row in other[:most]}


def by_target(rows: Sequence[TargetRank]) -> Mapping[str, TargetRank]:
    return {row.target: row for row in rows}
