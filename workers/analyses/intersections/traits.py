"""The trait scores of groups, over which taus are computed."""

from collections.abc import Sequence

from plumbline.spec.banks.pairs import pairs_of
from plumbline.spec.content import Attribute
from workers.analyses.alignment.pair_scores import pair_scores
from workers.statistics.known import mean_of_known
from workers.statistics.units import Floats


def trait_scores(attributes: Sequence[Attribute], scores: Floats) -> Floats:
    """Return trait scores [groups, traits] from scores [templates, groups, attributes]; NaN if nothing is scorable.

    A trait is S(right) - S(left) of a pair of opposites. In a run without pairs of opposites each attribute is a trait.
    """
    pairs = pairs_of(attributes)
    return mean_of_known(pair_scores(scores, pairs) if pairs else scores, axis=0)
