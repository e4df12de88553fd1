"""A group's list of trait scores: what its taus are taken over."""

from collections.abc import Sequence

from plumbline.spec.content import Attribute
from plumbline.spec.pairs import pairs_of
from workers.analyses.alignment.pair_scores import pair_scores
from workers.statistics.known import mean_of_known
from workers.statistics.units import Floats


def trait_scores(attributes: Sequence[Attribute], scores: Floats) -> Floats:
    """[groups, traits] from scores [templates, groups, attributes]; NaN where nothing is scorable.

    Of pairs of opposites S(right) - S(left), one trait each. In a run without any pair of opposites each attribute is
    a trait by itself.
    """
    pairs = pairs_of(attributes)
    return mean_of_known(pair_scores(scores, pairs) if pairs else scores, axis=0)
