"""How WEAT's effect size changes from one run to another, paired by target word."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from plumbline.methods.weat.spec import WeatSpec
from plumbline.spec.measure import Measure
from plumbline.spec.verdicts import Scale
from workers.measures.changes import change_measure, judged_changes
from workers.probes.protocol import Audited
from workers.probes.weat.cosines import Floats, cube
from workers.probes.weat.summary import associations, kept_words
from workers.statistics.effect_changes import effect_change

EFFECT = "effect_size"


def measure_changes(first: Audited[WeatSpec], second: Audited[WeatSpec]) -> list[Measure]:
    """Return the change of the effect size over all templates, and with several that of each.

    None where the runs ask other words or templates: the effect size of other words is another figure.
    """
    spec, words, templates = second.spec, second.spec.words(second.snapshots), _templates(second)
    if words != first.spec.words(first.snapshots) or templates != _templates(first):
        return []
    own = [_associations(run) for run in (first, second)]
    parts = [("", [s.mean(axis=0) for s in own])]
    parts += [(name, [s[at] for s in own]) for at, name in enumerate(templates if len(templates) > 1 else ())]
    found = [one for name, (before, after) in parts for one in _change(spec, second, before, after, name)]
    return judged_changes(spec, found, {EFFECT: Scale.STANDARDISED})


def _templates(run: Audited[WeatSpec]) -> tuple[str, ...]:
    return run.spec.texts(run.snapshots) or ("",)


def _associations(run: Audited[WeatSpec]) -> Floats:
    """Return each target's association in each template, [templates, targets]; NaN for a word that is left out."""
    words = run.spec.words(run.snapshots)
    cosines = cube(words, _templates(run), run.read("association"))
    return associations(words, cosines, kept_words(cosines))


def _change(
    spec: WeatSpec, second: Audited[WeatSpec], before: Floats, after: Floats, template: str
) -> Iterator[Measure]:
    """Yield the change; nothing where the runs score other words, as an effect size is one of its words."""
    words, known = second.spec.words(second.snapshots), ~np.isnan(before)
    in_x = (np.arange(len(words.targets)) < len(words.x))[known]
    if not np.array_equal(known, ~np.isnan(after)) or min(in_x.sum(), (~in_x).sum()) < 2:
        return
    params, margin = spec.params, spec.margin(Scale.STANDARDISED)
    found = effect_change(
        before[known], after[known], in_x, cuts=params.cuts, seed=spec.seed, margin=margin, level=params.level
    )
    names: dict[str, Any] = {"group_a": words.names[0], "group_b": words.names[1], "category": words.contrast}
    yield change_measure(EFFECT, found, unit="stimulus word", n=int(known.sum()), template=template, **names)
