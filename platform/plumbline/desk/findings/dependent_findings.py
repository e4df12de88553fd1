"""Findings that depend on each other: a word's differences of several groups, each from the mean of the others."""

from collections import defaultdict
from collections.abc import Iterable

from plumbline.findings.models import Finding
from plumbline.spec.measure import OTHER_GROUPS

MOST_NAMED = 5


def dependence_sentence(rows: Iterable[Finding]) -> str:
    """Return which of the listed findings depend on each other, or ""."""
    groups: defaultdict[tuple[object, ...], set[str]] = defaultdict(set)
    for one in rows:
        if one.group_b == OTHER_GROUPS:
            about = (one.plan_id, one.model, one.statistic, one.condition, one.variant)
            groups[one.attribute or one.category, about].add(one.group_a)
    named = list(dict.fromkeys(str(of) for (of, _), several in groups.items() if len(several) > 1))
    if not named:
        return ""
    more = f" and {len(named) - MOST_NAMED:,} more" if len(named) > MOST_NAMED else ""
    return (
        f"Several findings on {_quoted(named[:MOST_NAMED])}{more} depend on each other: each compares a group with the"
        " mean of the others. If the difference of one group is above zero, that of another one is below."
    )


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)
