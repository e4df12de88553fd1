"""Direct scores: how much likelier a feature becomes with the target in the same sentence."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plumbline.methods.indirect.card import DIRECT
from plumbline.methods.indirect.materials import TARGET_FEATURE
from plumbline.methods.indirect.spec import IndirectMaterials, IndirectSpec
from workers.probes.indirect.cells import Cells
from workers.probes.indirect.scores_of_records import averaged, direct_scores
from workers.probes.protocol import Read
from workers.statistics.chunks import chunks
from workers.statistics.intervals import expanded_tail, times_drawn
from workers.statistics.units import Floats

FEWEST_TEMPLATES = 8
NO_SCORE = "no score in some template"


@dataclass(frozen=True)
class DirectScores:
    """The table over all features, and the numbers of the sets with direct templates."""

    cells: Cells
    sets: Sequence[int]


def direct_cells(spec: IndirectSpec, materials: IndirectMaterials, read: Read) -> DirectScores | None:
    """Return the direct scores, or None if no set of features has direct templates."""
    asked = [number for number, own in enumerate(materials.sets) if own.templates(TARGET_FEATURE)]
    if not asked:
        return None
    value, low, high = np.full((3, len(materials.targets), len(materials.features)), np.nan)
    n, why = [0] * len(materials.features), [""] * len(materials.features)
    start = 0
    for number, own in enumerate(materials.sets):
        place, start = slice(start, start + len(own.features)), start + len(own.features)
        n[place] = [len(own.templates(TARGET_FEATURE))] * len(own.features)
        for row, part in direct_scores(read, own, materials) if number in asked else ():
            some = slice(row, row + part.target.shape[1])
            value[some, place], _ = averaged(part.target, part.prior, spec.params.average)
            low[some, place], high[some, place] = template_intervals(part.target, part.prior, spec)
            why[place] = [
                before or part.reasons.get(one.text, "") for before, one in zip(why[place], own.features, strict=True)
            ]
    told = [f"{NO_SCORE}: {one}" if one else NO_SCORE for one in why]
    return DirectScores(Cells(DIRECT, "template", n, value, told, low, high), asked)


def template_intervals(target: Floats, prior: Floats, spec: IndirectSpec) -> tuple[Floats, Floats]:
    """Return the expanded percentile interval of each score over resampled templates: low and high [targets, features].

    `target` and `prior` [templates, targets, features] are log probabilities. NaN below eight templates, which are too
    few to show how much depends on their choice.
    """
    templates, shape = len(target), target.shape[1:]
    low, high = np.full((2, target[0].size), np.nan)
    if templates >= FEWEST_TEMPLATES:
        drawn = times_drawn(templates, spec.params.resamples, spec.seed).T / templates
        tail = expanded_tail(templates, spec.params.level)
        flat = target.reshape(templates, -1), prior.reshape(templates, -1)
        for part in chunks(target[0].size, len(drawn)):
            found = _resampled(flat[0][:, part], flat[1][:, part], drawn, spec.params.average)
            low[part], high[part] = np.quantile(found, [tail, 1 - tail], axis=0, overwrite_input=True)
    return low.reshape(shape), high.reshape(shape)


def _resampled(target: Floats, prior: Floats, drawn: Floats, average: str) -> Floats:
    """Return resampled scores, [resamples, pairs]."""
    if average == "log":
        return np.asarray(drawn @ (target - prior))
    logs = []
    for one in (target, prior):
        # The largest log probability is factored out, because a probability may underflow.
        most = one.max(axis=0)
        logs.append(np.log(drawn @ np.exp(one - most)) + most)
    return np.asarray(logs[0] - logs[1])
