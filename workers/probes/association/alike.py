"""Frames without a curated kind that behave as one. They count as several kinds of sentence and should not."""

from collections.abc import Sequence

import numpy as np

from plumbline.spec.grammar import frame
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure
from plumbline.spec.shared_statistics import ALIKE_FRAMES
from workers.probes.cell_scores.contrasts import Contrast, Floats
from workers.probes.sentence_kinds import frame_numbers
from workers.statistics.alike_frames import alike_frames
from workers.statistics.nesting import nested_means

MOST_CELLS = 20_000
"""Maximum number of differences of one frame; of large runs, the first contrasts are used."""


def alike_frame_measures(materials: Materials, contrasts: Sequence[Contrast], seed: int) -> list[Measure]:
    """Return one measure for each frame of a cluster, with its first template; `condition` numbers the clusters."""
    own = np.flatnonzero([_is_own_kind(materials, place) for place in range(len(materials.templates))])
    if not contrasts or not own.size:
        return []
    templates = [materials.templates[place] for place in own]
    numbers = frame_numbers(templates)
    values = _by_frame(contrasts, own, numbers)
    words = int((~np.isnan(values)).all(axis=(0, 1)).sum())
    return [
        Measure(
            statistic=ALIKE_FRAMES.name,
            template=templates[int(np.flatnonzero(numbers == number)[0])],
            condition=str(place),
            value=found.correlation,
            unit="word",
            n=words,
            n_units=words,
            reason="describes these frames",
        )
        for place, found in enumerate(alike_frames(values, seed=seed), start=1)
        for number in found.frames
    ]


def _is_own_kind(materials: Materials, place: int) -> bool:
    return not materials.kinds or materials.kinds[place] == frame(materials.templates[place])


def _by_frame(
    contrasts: Sequence[Contrast], templates: np.ndarray[tuple[int], np.dtype[np.intp]], frames: np.ndarray
) -> Floats:
    """Return differences as means over the templates of each frame, [frames, contrasts, words]."""
    most = max(1, MOST_CELLS // max(1, contrasts[0].values.shape[1]))
    found = [nested_means(one.values[templates].T, frames).means.by_unit.T for one in contrasts[:most]]
    return np.stack(found, axis=1)
