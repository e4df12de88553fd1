"""Mean differences of two groups over all words of a list."""

from collections.abc import Sequence

import numpy as np

from plumbline.spec.association import AssociationSpec
from plumbline.spec.content import Attribute
from plumbline.spec.materials import Materials
from plumbline.spec.measure import FAMILY_AND_KIND, Measure
from plumbline.spec.word_families import family_in_list
from workers.measures.estimated import defined
from workers.measures.judging import smallest_effect
from workers.probes.cell_scores.contrasts import Contrast, Floats
from workers.probes.sentence_kinds import frame_numbers, kind_numbers, numbered
from workers.statistics.crossed_means import crossed_mean_of_table
from workers.statistics.nesting import nested_means

TOO_FEW = "one word family, or one kind of sentence: no interval and no test"
NOTHING = "no scorable item"


def shared_differences(
    spec: AssociationSpec, materials: Materials, contrasts: Sequence[Contrast], statistic: str
) -> list[Measure]:
    """Return each contrast's mean over the words of each list, which generalises over word families and kinds."""
    categories = np.array(materials.categories)
    return [
        _shared(spec, materials, contrast, statistic, category, np.flatnonzero(categories == category))
        for category in dict.fromkeys(materials.categories)
        for contrast in contrasts
    ]


def _shared(
    spec: AssociationSpec,
    materials: Materials,
    contrast: Contrast,
    statistic: str,
    category: str,
    members: np.ndarray[tuple[int], np.dtype[np.intp]],
) -> Measure:
    values = contrast.values[:, members]
    table = families_by_kinds(materials, values, members)
    found = crossed_mean_of_table(table, margin=smallest_effect(spec, statistic), level=spec.params.level)
    known = ~np.isnan(table)
    rows, columns = int(known.any(axis=1).sum()), int(known.any(axis=0).sum())
    value = defined(found.value)
    return Measure(
        statistic=statistic,
        group_a=contrast.group_a,
        group_b=contrast.group_b,
        category=category,
        unit=FAMILY_AND_KIND,
        n=int((~np.isnan(values)).sum()),
        n_units=min(rows, columns),
        n_frames=len(np.unique(frame_numbers(materials.templates)[(~np.isnan(values)).any(axis=1)])),
        value=value,
        ci_low=defined(found.ci_low),
        ci_high=defined(found.ci_high),
        p_value=defined(found.p_value),
        equivalence_p=defined(found.equivalence_p),
        reason=NOTHING if value is None else TOO_FEW if min(rows, columns) < 2 else "",
    )


def families_by_kinds(
    materials: Materials, values: Floats, members: np.ndarray[tuple[int], np.dtype[np.intp]]
) -> Floats:
    """Return values [templates, words] as means [word families, kinds of sentence]; NaN if there is none."""
    attributes = [materials.attributes[member] for member in members]
    kinds, frames = kind_numbers(materials), frame_numbers(materials.templates)
    of_words = nested_means(values.T, kinds, frames).means.by_unit
    return by_family(attributes, of_words.T)


def by_family(attributes: Sequence[Attribute], values: Floats) -> Floats:
    """Return values [kinds, words] as means [word families, kinds]."""
    families = numbered([family_in_list(one.text, one.family) for one in attributes])
    return nested_means(values, families).means.by_unit.T
