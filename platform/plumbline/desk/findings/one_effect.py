"""Findings that are one effect: a word's differences of several groups, each from the mean of the others."""

from collections import defaultdict
from collections.abc import Iterable

from plumbline.findings.models import Finding
from plumbline.spec.measure import OTHER_GROUPS

MOST_NAMED = 5


def one_effect_sentence(rows: Iterable[Finding]) -> str:
    """Return which of the listed findings are one effect seen from several groups, or ""."""
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
        f"Several findings on {_quoted(named[:MOST_NAMED])}{more} are one effect, seen from each group: each compares a"
        " group with the mean of the others, so the figures of a word sum to zero over the groups."
    )


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"“{word}”" for word in words)
