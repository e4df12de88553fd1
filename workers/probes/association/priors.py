"""Scores under other priors from the same records: without a prior, and with the mean over words.

A record holds the associations of target and prior separately, so no model is needed.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from plumbline.spec.materials import Materials
from plumbline.spec.prior import MEAN_OVER, WITHOUT
from workers.probes.cell_scores.contrasts import Floats, cube
from workers.probes.cell_scores.readings import Reading

SAME = 1e-4
"""Priors, or scores, that differ by less are equal; float32 answers agree within 1e-5."""
GROUPS, ATTRIBUTES = 1, 2
"""Axes of score tables."""


@dataclass(frozen=True, slots=True)
class UnderPrior:
    """All scores under one prior, [templates, groups, attributes], with the variant that names it."""

    variant: str
    scores: Floats


def other_priors(materials: Materials, records: pl.DataFrame, reading: Reading, scores: Floats) -> list[UnderPrior]:
    """Return the scores without a prior, and relative to the mean over the words of the given slot.

    A prior that gives the spec's own scores is left out, as is the mean over a single word.
    """
    targets, priors = (reading.associations(cube(materials, records, column)) for column in reading.columns)
    of_group = group_is_scored(materials, priors)
    means = np.where(
        of_group[:, None, None],
        reading.mean_association(targets, ATTRIBUTES),
        reading.mean_association(targets, GROUPS),
    )
    found = [UnderPrior(WITHOUT, targets), UnderPrior(_mean_over(of_group), targets - means)]
    nothing = np.zeros_like(scores)
    return [one for one in found if not same(one.scores, scores) and not same(np.nan_to_num(one.scores), nothing)]


def group_is_scored(materials: Materials, priors: Floats) -> npt.NDArray[np.bool_]:
    """Return for each template whether the group is scored, given the attribute, and not the reverse.

    The prior of an attribute is the same for all groups of one grammatical number, that of a group for all attributes.
    """
    numbers = np.array(materials.first_of_number)
    over_groups = np.max([_range(priors[:, numbers == one], GROUPS) for one in np.unique(numbers)], axis=0)
    constant = (_range(priors, ATTRIBUTES) <= SAME) & (len(materials.attributes) > 1)
    return np.asarray((over_groups > SAME) | constant)


def same(one: Floats, other: Floats) -> bool:
    return bool(np.allclose(one, other, rtol=0, atol=SAME, equal_nan=True))


def _range(values: Floats, axis: int) -> Floats:
    """Return the largest range along an axis in each template, [templates]; 0 if nothing is known."""
    spread = np.fmax.reduce(values, axis=axis) - np.fmin.reduce(values, axis=axis)
    return np.asarray(np.fmax.reduce(np.nan_to_num(spread), axis=1))


def _mean_over(of_group: npt.NDArray[np.bool_]) -> str:
    named = {(True, False): "groups and attributes", (False, False): "groups", (True, True): "attributes"}
    return MEAN_OVER + named[bool(of_group.any()), bool(of_group.all())]
