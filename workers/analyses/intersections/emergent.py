"""Emergent traits: traits linked with a pair more, or less, than with both components (Cao et al. 2022, 5.2, Q3)."""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from plumbline.spec.association import AssociationSpec
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure
from workers.analyses.intersections.members import Indices, Members
from workers.measures.estimated import defined, numbers_of
from workers.measures.judging import smallest_effect
from workers.statistics import estimate_cells, sign_flip
from workers.statistics.nesting import nested_means
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats
from workers.statistics.verdicts import Effects, Judged, judge

EMERGENT = "emergent_trait"
TOP = 50
"""The number of traits reported in each direction, as in Table A10."""


@dataclass(frozen=True, slots=True)
class Emergence:
    """Emergence of each attribute in each pair, cell = pair * attributes + attribute."""

    over_first: Floats
    """S(pair) - S(first component), [cells, templates]; NaN if either is missing."""
    over_second: Floats
    """S(pair) - S(second component), [cells, templates]."""
    first_mean: Floats
    second_mean: Floats
    """The means of `over_first` and `over_second` over kinds of sentence, [cells]."""
    p_value: Floats
    """The p that the cell is beyond both components on the same side, [cells]; 1 if it is between them."""
    least_p: Floats
    """The smallest p that this number of kinds can give, [cells]."""
    n_units: npt.NDArray[np.int64]

    @property
    def above(self) -> Floats:
        """S(pair) - max of its components, [cells]."""
        return np.minimum(self.first_mean, self.second_mean)

    @property
    def below(self) -> Floats:
        """Min of its components - S(pair), [cells]."""
        return -np.maximum(self.first_mean, self.second_mean)


def emergence_of(members: Members, scores: Floats, frames: Indices, how: Resampling) -> Emergence:
    """Return the emergence of scores [templates, groups, attributes], by template; `frames` [templates] are the units.

    A cell is beyond both components only if it is beyond each of them, so the larger of two p-values counts
    (intersection-union test: Berger 1982, "Multiparameter Hypothesis Testing and Acceptance Sampling").
    """
    own = scores[:, members.pairs]
    over_first, over_second = (
        (own - scores[:, part]).reshape(len(scores), -1).T for part in (members.first, members.second)
    )
    both = [nested_means(values, frames).means for values in (over_first, over_second)]
    first_mean, second_mean = (one.means for one in both)
    tests = [sign_flip(one, seed=how.seed, draws=how.permutations) for one in both]
    p, least = (np.maximum(*(getattr(one, name) for one in tests)) for name in ("p_value", "least_p"))
    p[~np.isnan(p) & (np.sign(first_mean) != np.sign(second_mean))] = 1.0
    n_units = np.minimum(*(one.n_units for one in both))
    return Emergence(over_first, over_second, first_mean, second_mean, p, least, n_units)


def most_emergent(
    spec: AssociationSpec, materials: Materials, members: Members, found: Emergence, frames: Indices, how: Resampling
) -> list[Measure]:
    """Return the most emergent traits in each direction.

    The verdicts are over all cells of the run, not only over these.
    """
    margin = smallest_effect(spec, EMERGENT)
    verdicts = _judged(found, margin, spec.alpha)
    above = _told(materials, members, found, found.above, frames, how)
    below = _told(materials, members, found, found.below, frames, how)
    return [
        replace(
            measure,
            condition=condition,
            p_value=defined(found.p_value[cell]),
            least_p=defined(found.least_p[cell]),
            equivalence_p=None,
            q_value=defined(verdicts.q_value[cell]),
            reachable_q=defined(verdicts.reachable_q[cell]),
            smallest_effect=defined(margin),
            verdict=verdicts.verdict[cell],
        )
        for condition, cells in (("above", above), ("below", below))
        for cell, measure in cells.items()
    ]


def _judged(found: Emergence, margin: float, alpha: float) -> Judged:
    """Return the verdicts by the distance of each cell from its nearer component."""
    size = len(found.p_value)
    effects = Effects(
        estimate=np.maximum(found.above, found.below),
        p_value=found.p_value,
        equivalence_p=np.full(size, np.nan),
        least_p=found.least_p,
        smallest_effect=np.full(size, margin),
        n_units=found.n_units,
        family=np.full(size, ""),
    )
    return judge(effects, alpha)


def _told(
    materials: Materials, members: Members, found: Emergence, values: Floats, frames: Indices, how: Resampling
) -> dict[int, Measure]:
    """Return the largest values by cell, each with the interval of its distance from the nearer component."""
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
        draws=how.permutations,
        level=how.level,
    )
    nearer = np.where(to_first, members.first[pairs], members.second[pairs])
    return {
        int(cell): Measure(
            statistic=EMERGENT,
            unit="kind of sentence",
            group_a=materials.groups[members.pairs[pairs[row]]].label,
            group_b=materials.groups[nearer[row]].label,
            category=materials.categories[attributes[row]],
            attribute=materials.attributes[attributes[row]].text,
            **(numbers_of(estimates, row) | {"familywise_p_value": None}),
        )
        for row, cell in enumerate(cells.tolist())
    }
