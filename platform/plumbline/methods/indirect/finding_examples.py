"""Example names of a finding of an indirect audit: typical ones of those that go the way of the link."""

from collections.abc import Sequence
from statistics import fmean
from urllib.parse import urlencode

from django.urls import reverse

from plumbline.audits.models import Run
from plumbline.findings.models import Finding
from plumbline.methods.indirect.bridge_links import Link, links
from plumbline.pages.finding_examples import Example, Examples
from plumbline.spec.numbers import number

HOW = "the middle name, by its score with the target, of those that are on either side of both means as the link says"


def examples(run: Run, finding: Finding) -> Examples:
    """Return a name that the model links with target and feature, and one with neither.

    If the link is negative, each is linked with one of the two.
    """
    opened = {"statistic": finding.statistic, "list": finding.category}
    opened |= {"target": finding.group_a, "feature": finding.attribute}
    address = f"{reverse('indirect', args=[run.pk])}?{urlencode(opened)}"
    value = finding.latest.value if finding.latest else None
    names = links(run.pk, finding.group_a, finding.attribute, finding.category)
    shown = [_shown(one, finding) for one in typical(names, is_negative=(value or 0.0) < 0)]
    return Examples(shown, HOW if shown else "", address)


def typical(names: Sequence[Link], *, is_negative: bool) -> list[Link]:
    """Return the middle name above the mean with the target, and the middle one below; none on a side without names."""
    if not names:
        return []
    target, feature = fmean(one.target for one in names), fmean(one.feature for one in names)
    along = [one for one in names if (one.target > target) == ((one.feature > feature) is not is_negative)]
    sides = ([one for one in along if (one.target > target) is above] for above in (True, False))
    return [sorted(side, key=lambda one: (one.target, one.name))[(len(side) - 1) // 2] for side in sides if side]


def _shown(one: Link, finding: Finding) -> Example:
    sides = ((finding.group_a, one.target), (finding.attribute, one.feature))
    return Example(
        text=one.name, figures=", ".join(f"with \u201c{word}\u201d {number(score)}" for word, score in sides)
    )


EXAMPLES = examples
