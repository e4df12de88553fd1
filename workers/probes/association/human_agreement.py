"""Pair scores of association runs, and their agreement with human judgements."""

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from plumbline.analyses.alignment.statistics import EXCESS, WITH_EXTRA
from plumbline.spec.association import AssociationSpec
from plumbline.spec.banks.pairs import pairs_of
from plumbline.spec.judgements import Judgements
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure
from plumbline.spec.shared_statistics import PAIR_SCORE, PAIR_SCORE_AVERAGED
from workers.analyses.alignment import measures, pair_scores, pilot
from workers.measures.judging import smallest_effect
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
    """Return pair scores of scores [templates, groups, attributes].

    With judgements, also agreement and its baselines.
    """
    pairs = pairs_of(materials.attributes)
    values = pair_scores.pair_scores(scores, pairs)
    resampling, margin = _resampling(spec), smallest_effect(spec, EXCESS.name)
    found = [*_pair_scores(spec, materials, values, frames), *_averaged(spec, materials, scores, frames, judgements)]
    if judgements is None or not pairs:
        return found
    return [
        *found,
        *measures.measures(mean_of_known(values, axis=0), materials.groups, pairs, judgements, resampling, margin),
        *pilot.measures(
            values,
            materials.templates,
            materials.groups,
            pairs,
            judgements,
            spec.params.pilot_annotations,
            resampling,
            margin,
        ),
    ]


def agreement(
    spec: AssociationSpec,
    materials: Materials,
    scores: Floats,
    frames: npt.NDArray[np.int64],
    judgements: Judgements | None,
) -> list[Measure]:
    """Return pair scores, and with judgements tau and its excess over exchanged ratings, without baselines."""
    pairs = pairs_of(materials.attributes)
    values = pair_scores.pair_scores(scores, pairs)
    found = _pair_scores(spec, materials, values, frames)
    if judgements is None or not pairs:
        return found
    means, margin = mean_of_known(values, axis=0), smallest_effect(spec, EXCESS.name)
    own = measures.model_agreement(means, materials.groups, pairs, judgements, _resampling(spec), margin)
    return [*found, *own]


def _averaged(
    spec: AssociationSpec,
    materials: Materials,
    scores: Floats,
    frames: npt.NDArray[np.int64],
    judgements: Judgements | None,
) -> list[Measure]:
    """Return pair scores averaged with the adjectives beside each pole, and their agreement with people.

    Nothing unless the spec asks for these adjectives. The agreement is the variant `with_extra`.
    """
    pairs = pairs_of(materials.attributes)
    if not any(pair.left_extra or pair.right_extra for pair in pairs):
        return []
    values, how = pair_scores.averaged_scores(scores, pairs), _resampling(spec)
    found = pair_scores.measures(values, materials.groups, pairs, frames, how, statistic=PAIR_SCORE_AVERAGED.name)
    if judgements is None:
        return found
    own = measures.agreement_by_group(mean_of_known(values, axis=0), materials.groups, pairs, judgements, how)
    return [*found, *(replace(one, variant=WITH_EXTRA) for one in own)]


def _pair_scores(
    spec: AssociationSpec, materials: Materials, values: Floats, frames: npt.NDArray[np.int64]
) -> list[Measure]:
    pairs, margin = pairs_of(materials.attributes), smallest_effect(spec, PAIR_SCORE.name)
    return pair_scores.measures(values, materials.groups, pairs, frames, _resampling(spec), margin)


def _resampling(spec: AssociationSpec) -> Resampling:
    params = spec.params
    return Resampling(spec.seed, params.resamples, params.permutations, params.level)
