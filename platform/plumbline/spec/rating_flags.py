"""Flags on suspicious ratings: copied pairs, and raters who gave one rating throughout."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
LEAST_ALIKE = 5
"""The fewest raters of a copied pair and the fewest ratings of a constant rater. Fewer may agree by chance."""


@dataclass(frozen=True, slots=True)
class Flag:
    """Some ratings by their indexes and the reason to exclude them. The spec may keep them."""

    annotators: tuple[int, ...]
    groups: tuple[int, ...]
    pairs: tuple[int, ...]
    """Every rating of these annotators, groups and pairs. An empty tuple means all."""
    reason: str


def flags_of(
    values: Floats, annotators: Sequence[str], groups: Sequence[str], pairs: Sequence[tuple[str, str]]
) -> list[Flag]:
    """Return the flags on values [annotators, groups, pairs] (NaN: not rated). Source: METHODS 1a (ours)."""
    names = [" - ".join(pair) for pair in pairs]
    constant = [
        Flag((rater,), (), (), f"{annotators[rater]!r} gives every group the same rating on every pair")
        for rater in constant_raters(values)
    ]
    copied = [
        Flag((), (group,), alike, f"{groups[group]}: every rater has the same rating on {_listed(names, alike)}")
        for group, alike in copied_pairs(values)
    ]
    return constant + copied


def constant_raters(values: Floats) -> list[int]:
    """Return the annotators with at least LEAST_ALIKE ratings, all of which are equal."""
    found = []
    for rater, own in enumerate(values):
        known = own[~np.isnan(own)]
        if known.size >= LEAST_ALIKE and (known == known[0]).all():
            found.append(rater)
    return found


def copied_pairs(values: Floats) -> list[tuple[int, tuple[int, ...]]]:
    """Return each group with the pairs that all its raters rated alike. Raters who all agree are no copies."""
    found = []
    for group in range(values.shape[1]):
        alike: dict[bytes, list[int]] = defaultdict(list)
        for pair in range(values.shape[2]):
            own = values[:, group, pair]
            known = own[~np.isnan(own)]
            if known.size >= LEAST_ALIKE and (known != known[0]).any():
                # -1 marks a missing rating: no rating is below 0.
                alike[np.nan_to_num(own, nan=-1.0).tobytes()].append(pair)
        found += [(group, tuple(places)) for places in alike.values() if len(places) > 1]
    return found


def flagged(values: Floats, flags: Sequence[Flag]) -> npt.NDArray[np.bool_]:
    """Return a mask [annotators, groups, pairs] of the flagged ratings."""
    found = np.zeros(values.shape, dtype=bool)
    for flag in flags:
        chosen = zip((flag.annotators, flag.groups, flag.pairs), values.shape, strict=True)
        found[np.ix_(*(places or range(size) for places, size in chosen))] = True
    return found & ~np.isnan(values)


def _listed(names: Sequence[str], places: Sequence[int]) -> str:
    *first, last = (names[place] for place in places)
    return f"{', '.join(first)} and {last}"
