"""Which groups an audit compares with which, and what a later run no longer compares."""

from collections.abc import Iterable, Sequence

from plumbline.audits.freezing import frozen_groups
from plumbline.audits.models import Run
from plumbline.audits.sentence_words import sentence_words
from plumbline.findings.sentences import group_name
from plumbline.spec.association import AssociationSpec
from plumbline.spec.content import Group
from plumbline.spec.measure import OTHER_GROUPS
from plumbline.spec.power.association import contrasts_of
from plumbline.spec.rewording import changed_lists, have_same_others, reworded

MOST_NAMED = 3

Contrasts = dict[frozenset[str], str]
"""The contrasts of a spec: their two labels, and how a sentence names them."""


def contrast_names(spec: AssociationSpec, groups: Sequence[Group]) -> Contrasts:
    """Return the contrasts of a spec with these groups."""
    return {frozenset(pair): f"{pair[0]} with {group_name(pair[1])}" for pair in contrasts_of(spec, groups)}


def named(names: Iterable[str]) -> str:
    """Return the first names as a list in words, and the number of the others."""
    found = list(names)
    more = [f"{len(found) - MOST_NAMED:,} more"] if len(found) > MOST_NAMED else []
    *others, last = [*found[:MOST_NAMED], *more]
    return f"{', '.join(others)} and {last}" if others else last


def lost_contrasts(first: Run, second: Run) -> str:
    """Return which contrasts the later run no longer has, and which it has; "" if it has all that the earlier had."""
    before, after = _contrasts(first), _contrasts(second)
    lost = [name for pair, name in before.items() if pair not in after]
    if not lost or not after:
        return ""
    return f"Run {first.pk} compared {named(lost)}. Run {second.pk} does not: it compares {named(after.values())}."


def share_no_contrast(first: Run, second: Run) -> bool:
    """Return whether both runs compare groups, and none of their contrasts is the same."""
    before, after = _contrasts(first), _contrasts(second)
    return bool(before and after) and not before.keys() & after.keys()


def changed_others(first: Run, second: Run) -> str:
    """Return that both runs compare groups with the mean of the others, and that these are not the same; or ""."""
    from_mean = [any(OTHER_GROUPS in pair for pair in _contrasts(run)) for run in (first, second)]
    if not all(from_mean) or have_same_others(sentence_words(first), sentence_words(second)):
        return ""
    return (
        f"Both runs compare each group with the mean of the others. Run {second.pk} has other groups, or asks one in"
        f" another form than run {first.pk}. That changes each group or its mean of the others, so no difference from"
        " such a mean is compared."
    )


def reworded_groups(first: Run, second: Run) -> str:
    """Return that each contrast which both runs have is about a group that they ask in another form; or ""."""
    groups = reworded(sentence_words(first), sentence_words(second)).groups
    shared = _contrasts(first).keys() & _contrasts(second).keys()
    if not shared or any(pair.isdisjoint(groups) for pair in shared):
        return ""
    asks = f"Run {second.pk} asks {named(f'“{label}”' for label in groups)} in another form than run {first.pk}"
    return f"{asks}, so no difference between groups is compared."


def other_lists(first: Run, second: Run) -> str:
    """Return which lists of attributes have other words in the later run; or ""."""
    lists = changed_lists(sentence_words(first), sentence_words(second))
    if not lists:
        return ""
    told = [f"“{name}”" for name in lists if name]
    of = f" of {named(told)}" if told else ""
    return (
        f"Run {second.pk} does not ask the same words{of} as run {first.pk}. So a figure over such a list as a whole is"
        " not compared, only those of the words that both ask."
    )


def _contrasts(run: Run) -> Contrasts:
    found = frozen_groups(run)
    return contrast_names(*found) if found else {}
