"""Comparison of two indirect runs: the change of each target's score with each feature."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from plumbline.methods.indirect.card import SCORE, WITHIN
from plumbline.methods.indirect.spec import IndirectMaterials, IndirectSpec
from plumbline.spec.card import PAIRED_DIFFERENCE
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from plumbline.spec.verdicts import Scale
from workers.measures.changes import judged_changes
from workers.measures.estimated import defined
from workers.measures.judging import judged, smallest_effect
from workers.probes.indirect.bridge import Bridge, bridge_of
from workers.probes.protocol import Audited, Changes
from workers.statistics.correlations.bridge_correlations import indicators
from workers.statistics.correlations.correlation_changes import CorrelationChanges, correlation_changes
from workers.statistics.name_groups import Drawn, draw_names, numbered_groups
from workers.statistics.units import Floats

UNDEFINED = "too few names in common, or scores that do not vary in one of the runs"
Feature = tuple[str, str]
"""List and word."""


def compare(first: Audited[IndirectSpec], second: Audited[IndirectSpec]) -> Changes:
    """Return second minus first over the names that both runs scored, resampled as the second run's spec says.

    The scores of both are recomputed from their records: a name that one model splits would else be in one of them
    alone. InputError for a causal and a masked estimator, whose scores are not alike.
    """
    both = _paired(first, second)
    margin = smallest_effect(second.spec, PAIRED_DIFFERENCE.name)
    drawn = both.drawn()
    found = correlation_changes(both.before, both.after, drawn, margin)
    measures = list(_measures(found, both, drawn, PAIRED_DIFFERENCE.name))
    known = [one for one in measures if one.value is not None]
    return Changes(
        judged(second.spec, known, lambda one: one.category),
        only_first=both.only_first,
        only_second=both.only_second,
        not_scorable=both.cells - len(known),
    )


def measure_changes(first: Audited[IndirectSpec], second: Audited[IndirectSpec]) -> list[Measure]:
    """Return the change of each correlation that has a verdict: within groups of names, or of the score without groups.

    Names without a group, or alone in theirs, count only where no name has a group, as in the summary. Raises
    InputError for a causal and a masked estimator.
    """
    both = _paired(first, second)
    statistic, margin = SCORE, second.spec.margin(Scale.CORRELATION)
    if any(both.groups):
        statistic, both = WITHIN, both.of_groups()
    drawn = both.drawn(whole_groups=True)
    found = correlation_changes(both.before, both.after, drawn, margin, indicators(numbered_groups(both.groups)))
    measures = [one for one in _measures(found, both, drawn, statistic) if one.value is not None]
    return judged_changes(second.spec, measures, {statistic: Scale.CORRELATION})


@dataclass(frozen=True, slots=True)
class _Paired:
    """The scores of both runs, [names, targets] and [names, features], of the words and names that both have."""

    spec: IndirectSpec
    before: tuple[Floats, Floats]
    after: tuple[Floats, Floats]
    groups: tuple[str, ...]
    """The group of each name in the later run."""
    targets: list[str]
    features: list[Feature]
    cells: int
    """The pairs of a target and a feature that both runs ask."""
    only_first: int
    only_second: int

    def of_groups(self) -> "_Paired":
        """Return only the names of groups with at least two names; the others cannot be centred."""
        sizes = Counter(self.groups)
        rows = np.flatnonzero([bool(group) and sizes[group] > 1 for group in self.groups])
        before, after = ((x[rows], y[rows]) for x, y in (self.before, self.after))
        return replace(self, before=before, after=after, groups=tuple(self.groups[row] for row in rows))

    def drawn(self, *, whole_groups: bool = False) -> Drawn:
        """Return resamples of the names, as the later run's spec says."""
        params = self.spec.params
        return draw_names(
            numbered_groups(self.groups),
            seed=self.spec.seed,
            resamples=params.resamples,
            level=params.level,
            whole_groups=whole_groups,
        )


def _paired(first: Audited[IndirectSpec], second: Audited[IndirectSpec]) -> _Paired:
    _require_one_estimator(first.spec, second.spec)
    runs = (first, second)
    materials = [one.spec.materials(one.snapshots) for one in runs]
    bridges = [bridge_of(own, one.read, one.spec.params.average) for own, one in zip(materials, runs, strict=True)]
    places = [_features(one) for one in materials]
    every = [_targets(one) for one in materials]
    targets = [one for one in every[0] if one in set(every[1])]
    common = [one for one in places[0] if one in places[1]]
    scored = [one for one in common if all(b.known[p[one]] for b, p in zip(bridges, places, strict=True))]
    names = [name for name in bridges[0].members if name in set(bridges[1].members)]
    before, after = [
        _sides(bridge, names, [own.index(word) for word in targets], [at[word] for word in scored])
        for own, bridge, at in zip(every, bridges, places, strict=True)
    ]
    group = dict(zip(bridges[1].members, bridges[1].groups, strict=True))
    groups, cells = tuple(group[name] for name in names), len(targets) * len(common)
    only_first, only_second = (len(t) * len(f) - cells for t, f in zip(every, places, strict=True))
    return _Paired(second.spec, before, after, groups, targets, scored, cells, only_first, only_second)


def _require_one_estimator(first: IndirectSpec, second: IndirectSpec) -> None:
    if first.causal != second.causal:
        raise InputError(
            "one of these runs is of the variant causal, an estimator of its own for models that read from left to"
            " right: its scores cannot be held against those of masked models."
        )


def _targets(materials: IndirectMaterials) -> list[str]:
    return [one.text for one in materials.targets]


def _features(materials: IndirectMaterials) -> Mapping[Feature, int]:
    """Return the places of the features of all sets."""
    words = zip(materials.categories, materials.features, strict=True)
    return {(category, one.text): place for place, (category, one) in enumerate(words)}


def _sides(bridge: Bridge, names: list[str], targets: list[int], features: list[int]) -> tuple[Floats, Floats]:
    place = {name: number for number, name in enumerate(bridge.members)}
    rows = [place[name] for name in names]
    return bridge.targets[rows][:, targets], bridge.features[rows][:, features]


def _measures(found: CorrelationChanges, both: _Paired, drawn: Drawn, statistic: str) -> Iterator[Measure]:
    for row, target in enumerate(both.targets):
        for column, (category, word) in enumerate(both.features):
            value = defined(found.value[row, column])
            yield Measure(
                statistic=statistic,
                unit=drawn.unit,
                n=found.n,
                n_units=drawn.units,
                value=value,
                ci_low=defined(found.low[row, column]),
                ci_high=defined(found.high[row, column]),
                p_value=defined(found.p_value[row, column]),
                equivalence_p=defined(found.equivalence_p[row, column]),
                group_a=target,
                attribute=word,
                category=category,
                reason="" if value is not None else UNDEFINED,
            )
