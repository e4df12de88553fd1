"""The score of a group on a pair of opposites: right pole minus left pole (Cao et al. 2022, section 3.2, "Traits")."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from plumbline.spec.banks.pairs import Pair
from plumbline.spec.content import Group
from plumbline.spec.measure import Measure
from plumbline.spec.shared_statistics import PAIR_SCORE
from workers.measures.estimated import numbers_of
from workers.statistics import estimate_cells
from workers.statistics.known import mean_of_known
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats


def pair_scores(scores: Floats, pairs: Sequence[Pair]) -> Floats:
    """Return S(right) - S(left) [templates, groups, pairs] from scores [templates, groups, attributes].

    NaN if either is NaN.
    """
    left, right = ([getattr(pair, pole) for pair in pairs] for pole in ("left", "right"))
    return np.asarray(scores[:, :, right] - scores[:, :, left])


def averaged_scores(scores: Floats, pairs: Sequence[Pair]) -> Floats:
    """Return pair scores as `pair_scores`, each pole averaged over its adjective and those beside it.

    Words without a score are left out of the mean. Source: Cao et al. 2022, footnote 4.
    """
    poles = [
        [mean_of_known(scores[:, :, [place, *beside]], axis=2) for place, beside in own]
        for own in (
            [(pair.right, pair.right_extra) for pair in pairs],
            [(pair.left, pair.left_extra) for pair in pairs],
        )
    ]
    right, left = (np.stack(own, axis=2) for own in poles)
    return np.asarray(right - left)


def measures(
    values: Floats,
    groups: Sequence[Group],
    pairs: Sequence[Pair],
    frames: npt.NDArray[np.int64],
    resampling: Resampling,
    margin: float = np.nan,
    statistic: str = PAIR_SCORE.name,
) -> list[Measure]:
    """Return the pair score of each group and pair from values [templates, groups, pairs].

    `frames` [templates] numbers the unit of each template. `margin` is the smallest score that matters.
    """
    if not pairs:
        return []
    estimates = estimate_cells(
        values.reshape(len(values), -1).T,
        frames,
        seed=resampling.seed,
        margin=margin,
        draws=resampling.permutations,
        level=resampling.level,
    )
    cells = [(group, pair) for group in groups for pair in pairs]
    return [
        Measure(
            statistic=statistic,
            group_a=group.label,
            attribute=pair.name,
            category=pair.dimension,
            unit="kind of sentence",
            **numbers_of(estimates, row),
        )
        for row, (group, pair) in enumerate(cells)
    ]
