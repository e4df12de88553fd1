"""Sensitive words that are linked with both the target and the feature of a cell."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from django.db.models import Q

from plumbline.audits.models import Run
from plumbline.methods.indirect.card import SCORE
from plumbline.methods.indirect.variants import stored
from plumbline.methods.indirect.words import sensitive_slugs
from plumbline.results import summary
from plumbline.spec.measure import Measure

MOST_TIES, FEWEST_TARGETS = 6, 3


@dataclass(frozen=True, slots=True)
class Tie:
    """A sensitive word linked with a target and a feature."""

    word: str
    slug: str
    with_target: Measure
    with_feature: float
    """Pearson's r over the targets between their scores with the word and with the feature."""
    targets: int


def ties(run: Run, slug: str, target: str, feature: str) -> list[Tie]:
    """Return the links with the largest product of both figures first, or none for a sensitive feature."""
    sensitive = sensitive_slugs(run)
    if slug in sensitive or not sensitive:
        return []
    own = Q(attribute=feature, category=slug) | Q(category__in=sensitive)
    asked = summary.of_run(run.pk, SCORE).filter(own, template="", group_b="", variant=stored(run, "")).order_by("pk")
    of_feature: dict[str, float] = {}
    of_words: dict[tuple[str, str], dict[str, float]] = {}
    for one, word, category, value in asked.values_list("group_a", "attribute", "category", "value"):
        if value is not None:
            (of_feature if category == slug else of_words.setdefault((word, category), {}))[one] = value
    rows = asked.filter(group_a=target, category__in=sensitive)
    with_target = {(one.attribute, one.category): one for one in summary.measures(rows) if one.value is not None}
    found = [_tie(key, measure, of_feature, of_words[key]) for key, measure in with_target.items()]
    known = [one for one in found if one is not None]
    return sorted(known, key=lambda one: -abs((one.with_target.value or 0.0) * one.with_feature))[:MOST_TIES]


def _tie(
    key: tuple[str, str], measure: Measure, of_feature: Mapping[str, float], of_word: Mapping[str, float]
) -> Tie | None:
    """Return the link, or None if too few targets have both scores or scores do not vary."""
    both = np.array([(score, of_word[target]) for target, score in of_feature.items() if target in of_word])
    if len(both) < FEWEST_TARGETS or not both.std(axis=0).all():
        return None
    return Tie(*key, measure, float(np.corrcoef(both.T)[0, 1]), len(both))
