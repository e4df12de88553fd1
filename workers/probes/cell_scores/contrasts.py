"""Scores as a cube, and paired differences between groups, by template."""

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import polars as pl

from plumbline.spec.materials import Materials
from plumbline.spec.measure import OTHER_GROUPS
from workers.analyses.intersections.members import members_of
from workers.statistics.known import mean_of_known

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Contrast:
    """The paired difference of two groups' scores: values [templates, attributes], NaN if either is missing."""

    group_a: str
    group_b: str
    values: Floats


def cube(materials: Materials, records: pl.DataFrame, column: str = "score") -> Floats:
    """Return scores, or another numeric column, [templates, groups, attributes]; NaN if an item is not scorable."""
    labels = (
        materials.templates,
        [group.label for group in materials.groups],
        [attribute.text for attribute in materials.attributes],
    )
    scores = np.full([len(axis) for axis in labels], np.nan)
    scorable = records.filter(pl.col("scorable"))
    index = tuple(
        scorable[column].replace_strict(list(axis), list(range(len(axis))), return_dtype=pl.Int32).to_numpy()
        for column, axis in zip(("template", "group", "attribute"), labels, strict=True)
    )
    scores[index] = scorable[column].to_numpy()
    return scores


def contrasts(materials: Materials, scores: Floats, which: str | None) -> Iterable[Contrast]:
    labels = [group.label for group in materials.groups]
    if (which or ("pairs" if len(labels) == 2 else "rest")) == "pairs":
        for a, b in itertools.combinations(range(len(labels)), 2):
            yield Contrast(labels[a], labels[b], scores[:, a] - scores[:, b])
    else:
        compared = np.arange(len(labels)) if which else _without_pairs(materials)
        if len(compared) > 1:
            differences = _minus_rest(scores[:, compared])
            yield from (Contrast(labels[a], OTHER_GROUPS, differences[:, at]) for at, a in enumerate(compared.tolist()))


def _without_pairs(materials: Materials) -> npt.NDArray[np.intp]:
    """Return the groups that are compared by default: all except pairs, which are compared with their components.

    Otherwise a group would be compared with thousands of pairs that contain it, and adding pairs would change the
    results of single groups.
    """
    whole = members_of(materials.groups).pairs
    return np.setdiff1d(np.arange(len(materials.groups)), whole)


def _minus_rest(scores: Floats) -> Floats:
    """Return scores [templates, groups, attributes] minus the mean of the other groups' scorable scores."""
    # Sums start from the lowest score, so that equal groups differ by exactly 0 in any order of summation.
    above = scores - np.fmin.reduce(scores, axis=1, keepdims=True)
    known = ~np.isnan(above)
    others = known.sum(axis=1, keepdims=True) - 1
    mean = np.full(scores.shape, np.nan)
    total = np.where(known, above, 0.0).sum(axis=1, keepdims=True)
    np.divide(total - above, others, out=mean, where=known & (others > 0))
    return np.asarray(above - mean)


def centred(materials: Materials, contrasts: Sequence[Contrast]) -> list[Contrast]:
    """Return each difference minus its mean over the words of the list, by template: the word's own difference.

    A shift that all words share, such as that of a group's name that is rarer before any word, cancels. A word that is
    alone in its list or in a template cannot be compared: NaN.
    """
    categories = np.array(materials.categories)
    found = []
    for contrast in contrasts:
        values = np.full(contrast.values.shape, np.nan)
        for category in np.unique(categories):
            own = contrast.values[:, categories == category]
            comparable = (~np.isnan(own)).sum(axis=1) > 1
            values[np.ix_(comparable, categories == category)] = (
                own[comparable] - mean_of_known(own[comparable], axis=1)[:, None]
            )
        found.append(replace(contrast, values=values))
    return found
