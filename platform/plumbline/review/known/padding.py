"""Whether a padding text changes the scores (thesis, section 3.3.3 and Table 3.2).

For each target, Student's t-test of its scores with all words of a list under one text and under another. The thesis
does not say whether its tests were paired; both are here. Unpaired, p is too large, as the words are the same ones;
either way it is too small, as the words of a list hang together and all rest on the same names: a rough guide.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import polars as pl

from plumbline.review.splitting import q_values

Floats = npt.NDArray[np.float64]
LEVELS = (0.05, 0.01)
FEWEST_WORDS = 2


@dataclass(frozen=True, slots=True)
class Differing:
    """Of the targets, how many have other scores under one text than under another."""

    features: str
    pair: tuple[int, int]
    """Which texts, counted from 1."""
    paired: bool
    targets: int
    words: int
    by_p: tuple[float, ...]
    """Shares of the targets with p below each of LEVELS."""
    by_q: tuple[float, ...]
    """The same for q, over all targets and pairs of texts of the list."""
    largest: float | None
    """The largest absolute difference of a score."""


def differing(cells: Sequence[Mapping[str, pl.DataFrame]]) -> list[Differing]:
    """Every pair of texts, list by list, unpaired and paired; `cells` are those of results.grid, by text and list."""
    lists = dict.fromkeys(slug for own in cells for slug in own)
    return [one for slug in lists for one in _of_list(slug, [own[slug] for own in cells if slug in own])]


def _of_list(slug: str, cells: Sequence[pl.DataFrame]) -> list[Differing]:
    tables = _tables(cells)
    if len(tables) < len(cells) or tables[0].shape[1] < FEWEST_WORDS:
        return []
    pairs = list(combinations(range(len(tables)), 2))
    return [one for paired in (False, True) for one in _tested(slug, tables, pairs, paired=paired)]


def _tested(slug: str, tables: Sequence[Floats], pairs: Sequence[tuple[int, int]], *, paired: bool) -> list[Differing]:
    p = np.array([p_values(tables[one], tables[other], paired=paired) for one, other in pairs])
    q = np.array(q_values([float(one) for one in p.ravel()])).reshape(p.shape)
    targets, words = tables[0].shape
    return [
        Differing(
            features=slug,
            pair=(one + 1, other + 1),
            paired=paired,
            targets=targets,
            words=words,
            by_p=_shares(p[place]),
            by_q=_shares(q[place]),
            largest=float(np.abs(tables[one] - tables[other]).max()) if targets else None,
        )
        for place, (one, other) in enumerate(pairs)
    ]


def _shares(p: Floats) -> tuple[float, ...]:
    return tuple(float((p < level).mean()) if p.size else 0.0 for level in LEVELS)


def p_values(one: Floats, other: Floats, *, paired: bool) -> Floats:
    """Student's t-test, two-sided, one a row [targets, words]; 1 where nothing differs."""
    from scipy import stats

    words = one.shape[1]
    shift = np.abs((one - other).mean(axis=1))
    if paired:
        error, free = (one - other).std(axis=1, ddof=1) / np.sqrt(words), words - 1
    else:
        error, free = np.sqrt((one.var(axis=1, ddof=1) + other.var(axis=1, ddof=1)) / words), 2 * words - 2
    with np.errstate(divide="ignore", invalid="ignore"):
        p = 2 * stats.t.sf(shift / error, free)
    return np.asarray(np.where(shift > 0, p, 1.0))


def _tables(cells: Sequence[pl.DataFrame]) -> list[Floats]:
    """[targets, words] of each text, of the targets and words that have a value under all of them."""
    known = [one.drop_nulls("value").select("group_a", "attribute", "value") for one in cells]
    wide = [one.pivot("attribute", index="group_a", values="value").drop_nulls() for one in known]
    targets = [name for name in wide[0]["group_a"] if all(name in set(one["group_a"]) for one in wide)]
    words = [word for word in wide[0].columns[1:] if all(word in one.columns for one in wide)]
    order = pl.DataFrame({"group_a": targets}, schema={"group_a": pl.String})
    return [order.join(one, on="group_a", maintain_order="left").select(words).to_numpy() for one in wide]
