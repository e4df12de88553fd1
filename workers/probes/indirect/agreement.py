"""Agreement of the scores through names with the direct scores of the targets (thesis, Table 3.5)."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from plumbline.methods.indirect.card import AGREEMENT
from plumbline.methods.indirect.spec import IndirectMaterials, IndirectSpec
from plumbline.spec.measure import Measure
from workers.measures.estimated import defined
from workers.measures.judging import smallest_effect
from workers.probes.indirect.direct import DirectScores
from workers.probes.indirect.through_names import ThroughNames
from workers.statistics.correlations.clustered_correlations import Correlation, clustered_correlation
from workers.statistics.units import Floats

TOO_FEW = "fewer than four targets with both scores, or scores that do not vary"


@dataclass(frozen=True, slots=True)
class Asked:
    """The features of one comparison over targets: the words at `places`, or their mean if `group` is given."""

    category: str
    places: tuple[int, ...]
    attribute: str = ""
    group: str = ""


def agreements(
    spec: IndirectSpec, materials: IndirectMaterials, direct: DirectScores, through: ThroughNames
) -> list[Measure]:
    """Return the agreement of each list, of each group of its words, and of each sensitive or named word."""
    places = [place for number in direct.sets for place in through.of_set(number)]
    single = [place for place in places if place not in through.of_set(0) or materials.features[place].group]
    asked = [*_of_lists(materials, places), *_of_groups(materials, places), *_of_words(materials, single)]
    return [_measure(one, _correlated(one, direct.cells.value, through.score.value, spec)) for one in asked]


def _of_lists(materials: IndirectMaterials, places: list[int]) -> Iterator[Asked]:
    lists = materials.categories
    for category in dict.fromkeys(lists[place] for place in places):
        yield Asked(category, tuple(place for place in places if lists[place] == category))


def _of_groups(materials: IndirectMaterials, places: list[int]) -> Iterator[Asked]:
    def named(place: int) -> tuple[str, str]:
        return materials.categories[place], materials.features[place].group

    for (category, group), some in groupby(sorted((one for one in places if named(one)[1]), key=named), key=named):
        yield Asked(category, tuple(some), group=group)


def _of_words(materials: IndirectMaterials, places: list[int]) -> Iterator[Asked]:
    for place in places:
        yield Asked(materials.categories[place], (place,), attribute=materials.features[place].text)


def _correlated(asked: Asked, direct: Floats, score: Floats, spec: IndirectSpec) -> Correlation:
    both = [one[:, list(asked.places)] for one in (direct, score)]
    if asked.group:
        both = _means(*both)
    params, margin = spec.params, smallest_effect(spec, AGREEMENT)
    return clustered_correlation(*both, seed=spec.seed, resamples=params.resamples, level=params.level, margin=margin)


def _means(direct: Floats, score: Floats) -> list[Floats]:
    """Return the means over words that have both scores with some target.

    A word of several tokens is in neither mean.
    """
    known = ~(np.isnan(direct) | np.isnan(score)).all(axis=0)
    if not known.any():
        return [direct[:, :1], score[:, :1]]
    return [one[:, known].mean(axis=1, keepdims=True) for one in (direct, score)]


def _measure(asked: Asked, found: Correlation) -> Measure:
    value = defined(found.value)
    return Measure(
        statistic=AGREEMENT,
        unit="target",
        n=found.pairs,
        n_units=found.clusters,
        value=value,
        ci_low=defined(found.low),
        ci_high=defined(found.high),
        p_value=defined(found.p_value),
        equivalence_p=defined(found.equivalence_p),
        category=asked.category,
        attribute=asked.attribute,
        group_b=asked.group,
        reason="" if value is not None else TOO_FEW,
    )
