"""Emergent traits: what a pair is tied to more, or less, than both of its components (Cao et al. 2022, 5.2, Q3)."""

from dataclasses import dataclass, replace

import numpy as np

from plumbline.spec.association import Materials
from plumbline.spec.measure import Measure
from workers.probes.estimated import defined, numbers_of
from workers.probes.intersections.members import Indices, Members
from workers.statistics import blocks, estimate_cells, q_values, sign_flip
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats

TOP = 50
"""So many are told in each direction, as in Table A10."""


@dataclass(frozen=True, slots=True)
class Emergence:
    """Each pair with each attribute, cell = pair * attributes + attribute."""

    over_first: Floats
    """S(pair) - S(first component), [cells, templates]; NaN where either is missing."""
    over_second: Floats
    """S(pair) - S(second component), [cells, templates]."""
    first_mean: Floats
    second_mean: Floats
    """Their means over templates, [cells]."""
    p_value: Floats
    """Of being beyond both components on the same side, [cells]; 1 where it lies between them."""

    @property
    def above(self) -> Floats:
        """S(pair) - max of its components, [cells]."""
        return np.minimum(self.first_mean, self.second_mean)

    @property
    def below(self) -> Floats:
        """Min of its components - S(pair), [cells]."""
        return -np.maximum(self.first_mean, self.second_mean)


def emergence_of(members: Members, scores: Floats, frames: Indices, how: Resampling) -> Emergence:
    """From scores [templates, groups, attributes], compared template by template; the unit is the frame [templates].

    A cell is beyond both components only if it is beyond each of them, so the larger of two p-values counts
    (intersection-union test: Berger 1982, "Multiparameter Hypothesis Testing and Acceptance Sampling").
    """
    own = scores[:, members.pairs]
    over_first, over_second = (
        (own - scores[:, part]).reshape(len(scores), -1).T for part in (members.first, members.second)
    )
    summed = [blocks(values, frames) for values in (over_first, over_second)]
    first_mean, second_mean = (one.means for one in summed)
    p = np.maximum(*(sign_flip(one, seed=how.seed, draws=how.permutations).p_value for one in summed))
    p[~np.isnan(p) & (np.sign(first_mean) != np.sign(second_mean))] = 1.0
    return Emergence(over_first, over_second, first_mean, second_mean, p)


def most_emergent(
    materials: Materials, members: Members, found: Emergence, frames: Indices, how: Resampling
) -> list[Measure]:
    """The top of either direction. q is over all cells of the run, not over those that are told."""
    q = q_values(found.p_value, np.zeros(len(found.p_value)))
    above = _told(materials, members, found, found.above, frames, how)
    below = _told(materials, members, found, found.below, frames, how)
    return [
        replace(measure, condition=condition, p_value=defined(found.p_value[cell]), q_value=defined(q[cell]))
        for condition, cells in (("above", above), ("below", below))
        for cell, measure in cells.items()
    ]


def _told(
    materials: Materials, members: Members, found: Emergence, values: Floats, frames: Indices, how: Resampling
) -> dict[int, Measure]:
    """The greatest values by cell, each with the interval of its distance to the component that it is nearer to."""
    beyond = np.flatnonzero(values > 0)
    cells = beyond[np.argsort(-values[beyond], kind="stable")][:TOP]
    if not cells.size:
        return {}
    pairs, attributes = np.divmod(cells, len(materials.attributes))
    to_first = np.abs(found.first_mean[cells]) <= np.abs(found.second_mean[cells])
    distances = np.where(to_first[:, None], found.over_first[cells], found.over_second[cells])
    estimates = estimate_cells(
        distances * np.sign(found.first_mean[cells])[:, None],
        frames,
        seed=how.seed,
        resamples=how.resamples,
        draws=how.permutations,
        level=how.level,
    )
    nearer = np.where(to_first, members.first[pairs], members.second[pairs])
    return {
        int(cell): Measure(
            statistic="emergent_trait",
            unit="template",
            group_a=materials.groups[members.pairs[pairs[row]]].label,
            group_b=materials.groups[nearer[row]].label,
            category=materials.categories[attributes[row]],
            attribute=materials.attributes[attributes[row]].text,
            **(numbers_of(estimates, row) | {"familywise_p_value": None}),
        )
        for row, cell in enumerate(cells.tolist())
    }
