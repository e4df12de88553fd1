"""All measures of the pairs of groups of a run; none if the run has no pairs."""

from plumbline.spec.association import AssociationSpec
from plumbline.spec.materials import Materials
from plumbline.spec.measure import Measure
from workers.analyses.intersections.agreement import agreement_of
from workers.analyses.intersections.curated import against_curated
from workers.analyses.intersections.dominance import domain_dominance
from workers.analyses.intersections.emergent import emergence_of, most_emergent
from workers.analyses.intersections.members import Indices, members_of
from workers.analyses.intersections.order import identity_order, of_each_pair
from workers.analyses.intersections.traits import trait_scores
from workers.measures.judging import judged
from workers.statistics.resampling import Resampling
from workers.statistics.units import Floats


def intersections(spec: AssociationSpec, materials: Materials, scores: Floats, frames: Indices) -> list[Measure]:
    """Return identity order, domain dominance and emergent traits from scores [templates, groups, attributes].

    `frames` [templates] numbers the frame of each template. The measures have their q-values.
    """
    if not any(group.components for group in materials.groups):
        return []
    how = Resampling(spec.seed, spec.params.resamples, spec.params.permutations, spec.params.level)
    members = members_of(materials.groups)
    labels = [group.label for group in materials.groups]
    traits = trait_scores(materials.attributes, scores)
    taus = agreement_of(members, traits)
    domains = [group.domain for group in materials.groups]
    tested = [*identity_order(members, taus, how), *domain_dominance(domains, members, taus, how)]
    told = [*judged(spec, tested, lambda one: one.statistic), *of_each_pair(labels, members, taus, traits.shape[1])]
    if not len(members):
        return told
    found = emergence_of(members, scores, frames, how)
    return [
        *told,
        *most_emergent(spec, materials, members, found, frames, how),
        *against_curated(materials, members, found, how),
    ]
