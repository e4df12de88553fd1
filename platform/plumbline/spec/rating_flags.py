"""Ratings that are hardly what people answered: copied pairs, and raters who gave one answer to everything."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
LEAST_ALIKE = 5
"""Of fewer raters two pairs, or of fewer ratings all of a rater's, may well be alike by chance."""


@dataclass(frozen=True, slots=True)
class Flag:
    """Some ratings by their places, which are left out unless the spec keeps them, and why."""

    annotators: tuple[int, ...]
    groups: tuple[int, ...]
    pairs: tuple[int, ...]
    """Every rating of these annotators, groups and pairs; empty: of all."""
    reason: str


def flags_of(
    values: Floats, annotators: Sequence[str], groups: Sequence[str], pairs: Sequence[tuple[str, str]]
) -> list[Flag]:
    """What stands out in values [annotators, groups, pairs] (NaN: not rated). Source: METHODS 1a (ours)."""
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
    """The annotators whose ratings are all one number, of LEAST_ALIKE ratings or more."""
    found = []
    for rater, own in enumerate(values):
        known = own[~np.isnan(own)]
        if known.size >= LEAST_ALIKE and (known == known[0]).all():
            found.append(rater)
    return found


def copied_pairs(values: Floats) -> list[tuple[int, tuple[int, ...]]]:
    """Group and pairs that the same raters rated alike, one by one. All raters of one opinion are no copy."""
    found = []
    for group in range(values.shape[1]):
        alike: dict[bytes, list[int]] = defaultdict(list)
        for pair in range(values.shape[2]):
            own = values[:, group, pair]
            known = own[~np.isnan(own)]
            if known.size >= LEAST_ALIKE and (known != known[0]).any():
                # No rating is below 0, so -1 stands for none.
                alike[np.nan_to_num(own, nan=-1.0).tobytes()].append(pair)
        found += [(group, tuple(places)) for places in alike.values() if len(places) > 1]
    return found


def flagged(values: Floats, flags: Sequence[Flag]) -> npt.NDArray[np.bool_]:
    """Which ratings [annotators, groups, pairs] the flags are of."""
    found = np.zeros(values.shape, dtype=bool)
    for flag in flags:
        chosen = zip((flag.annotators, flag.groups, flag.pairs), values.shape, strict=True)
        found[np.ix_(*(places or range(size) for places, size in chosen))] = True
    return found & ~np.isnan(values)


def _listed(names: Sequence[str], places: Sequence[int]) -> str:
    *first, last = (names[place] for place in places)
    return f"{', '.join(first)} and {last}"
