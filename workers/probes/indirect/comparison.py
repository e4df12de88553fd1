"""Comparison of two indirect runs: the change of each target's score with each feature."""

from collections.abc import Iterator, Mapping

from plumbline.methods.indirect.spec import IndirectMaterials, IndirectSpec
from plumbline.spec.card import PAIRED_DIFFERENCE
from plumbline.spec.errors import InputError
from plumbline.spec.measure import Measure
from workers.measures.estimated import defined
from workers.measures.judging import judged, smallest_effect
from workers.probes.indirect.bridge import Bridge, bridge_of
from workers.probes.protocol import Audited, Changes
from workers.statistics.correlation_changes import CorrelationChanges, correlation_changes
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
    margin = smallest_effect(second.spec, PAIRED_DIFFERENCE.name)
    drawn = _drawn(second.spec, bridges[1], names)
    found = correlation_changes(before, after, drawn, margin)
    both = len(targets) * len(common)
    measures = list(_measures(found, drawn, targets, scored))
    return Changes(
        judged(second.spec, [one for one in measures if one.value is not None], lambda one: one.category),
        only_first=len(every[0]) * len(places[0]) - both,
        only_second=len(every[1]) * len(places[1]) - both,
        not_scorable=both - sum(one.value is not None for one in measures),
    )


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


def _drawn(spec: IndirectSpec, bridge: Bridge, names: list[str]) -> Drawn:
    """Return resamples of the names of both runs, in the groups of the later one."""
    group = dict(zip(bridge.members, bridge.groups, strict=True))
    groups, params = numbered_groups(tuple(group[name] for name in names)), spec.params
    return draw_names(groups, seed=spec.seed, resamples=params.resamples, level=params.level)


def _measures(
    found: CorrelationChanges, drawn: Drawn, targets: list[str], features: list[Feature]
) -> Iterator[Measure]:
    for row, target in enumerate(targets):
        for column, (category, word) in enumerate(features):
            value = defined(found.value[row, column])
            yield Measure(
                statistic=PAIRED_DIFFERENCE.name,
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
