"""From association scores to pairs of opposites, and to agreement with human judgements."""

import numpy as np
import numpy.typing as npt

from plumbline.spec.association import AssociationSpec, Materials
from plumbline.spec.judgements import Judgements
from plumbline.spec.measure import Measure
from plumbline.spec.pairs import pairs_of
from workers.probes.alignment import measures, pair_scores, pilot
from workers.statistics.known import mean_of_known
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats


def alignment(
    spec: AssociationSpec,
    materials: Materials,
    scores: Floats,
    frames: npt.NDArray[np.int64],
    judgements: Judgements | None,
) -> list[Measure]:
    """Pair scores from scores [templates, groups, attributes]; with judgements, what holds the model against them."""
    pairs = pairs_of(materials.attributes)
    values = pair_scores.pair_scores(scores, pairs)
    params = spec.params
    resampling = Resampling(spec.seed, params.resamples, params.permutations, params.level)
    found = pair_scores.measures(values, materials.groups, pairs, frames, resampling)
    if judgements is None or not pairs:
        return found
    return [
        *found,
        *measures.measures(mean_of_known(values, axis=0), materials.groups, pairs, judgements, resampling),
        *pilot.measures(
            values, materials.templates, materials.groups, pairs, judgements, params.pilot_annotations, resampling
        ),
    ]
